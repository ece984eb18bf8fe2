use grundy_rules::Game; use grundy_sweep::Control; use grundy_theory::period::*;
fn main(){
  let args: Vec<String> = std::env::args().collect();
  let game: Game = args[1].parse().unwrap();
  let left: u32 = args[2].parse().unwrap();
  let middle: Vec<u32> = args[3].split(',').filter(|s| !s.is_empty() && *s!="-").map(|s| s.parse().unwrap()).collect();
  let bound: usize = args[4].parse().unwrap();
  let t = std::time::Instant::now();
  let rows = strip(game, left, &middle, bound, &Control::new()).unwrap();
  for (a,r) in (1..).zip(&rows) { println!("{a} {:?} len {}", r.found, r.values.len()); }
  println!("{:?}", t.elapsed());
}
