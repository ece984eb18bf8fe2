use grundy_kernels::Isa; use grundy_sweep::Control; use grundy_theory::*;
fn main(){
  let a: Vec<String> = std::env::args().collect();
  let o = |i: usize| a.get(i).and_then(|s| s.parse::<u32>().ok()).filter(|&v| v>0);
  let claims: Vec<&Claim> = if a.len()>4 { a[4..].iter().flat_map(|s| Claim::find(s).unwrap()).collect() } else { Claim::all().collect() };
  let range = Range{max_pile:o(1),length:o(2).map(|v| v as usize),to:o(3)};
  let means = Means{isa:Isa::best(),memory:2<<30,threads:2};
  let plan = Plan::new(&claims,&[],&range).unwrap();
  println!("{:?}", plan.estimate(&means));
  let t=std::time::Instant::now();
  let mut s=Recompute::new(means.isa,means.memory);
  let Ok(v)=plan.run(&mut s,&means,&Control::new());
  for v in v { println!("{:14} {} checked {} failures {} undecided {} {:?} [{}] {:.3} s{}", v.claim,v.verdict,v.checked,v.failures,v.undecided,v.first.as_ref().map(|f|f.to_string()),v.range,v.seconds, if v.is_surprise(){" SURPRISE"}else{""}); }
  println!("{:?}", t.elapsed());
}
