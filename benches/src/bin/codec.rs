//! Compares codecs, zstd levels and frame sizes. Prints the table in docs/FORMAT.md: bits per
//! value, and speeds of one thread.
//!
//! Each line is measured on an evenly spread sample of the table: runs of 1 MiB. Decoded values are
//! compared with the encoded ones.

use std::time::Instant;

use grundy_benches::{ladder, tiles};
use grundy_kernels::{Cell, Isa};
use grundy_rules::{Table, games};
use zstd::bulk::{Compressor, Decompressor};

/// The sizes of a run and of the whole sample, in bytes.
const RUN_BYTES: usize = 1 << 20;
const SAMPLE_BYTES: usize = 24 << 20;

/// The transformation of a frame's values before zstd.
#[derive(Clone, Copy)]
struct Transform {
    name: &'static str,
    nim_sum: bool,
    /// Each tile xor the one before it in the frame.
    previous: bool,
    /// All low bytes, then all high bytes.
    planes: bool,
}

const TRANSFORMS: [Transform; 5] = [
    Transform { name: "raw", nim_sum: false, previous: false, planes: false },
    Transform { name: "nim-sum", nim_sum: true, previous: false, planes: false },
    Transform { name: "previous tile", nim_sum: false, previous: true, planes: false },
    Transform { name: "nim-sum, previous tile", nim_sum: true, previous: true, planes: false },
    Transform { name: "nim-sum, planes", nim_sum: true, previous: false, planes: true },
];

impl Transform {
    fn apply(self, values: &[u32], n: usize, width: usize) -> Vec<u8> {
        let tile = n * n;
        let cell = |at: usize| {
            let within = at % tile;
            let nim_sum = if self.nim_sum { (within / n + 1) ^ (within % n + 1) } else { 0 };
            values[at] ^ nim_sum as u32
        };
        let coded = |at: usize| match self.previous {
            true if at >= tile => cell(at) ^ cell(at - tile),
            _ => cell(at),
        };
        let byte = |at: usize, of: usize| coded(at).to_le_bytes()[of];
        if self.planes {
            (0..width).flat_map(|of| (0..values.len()).map(move |at| byte(at, of))).collect()
        } else {
            (0..values.len()).flat_map(|at| (0..width).map(move |of| byte(at, of))).collect()
        }
    }
}

fn measure<T: Cell>(table: &Table, levels: &[i32], frame_sizes: &[usize]) {
    let n = table.max_pile() as usize;
    let tile_bytes = n * n * T::BYTES;
    let ladder = ladder::<T>(table.game(), table.max_pile(), table.length(), Isa::best());
    let run_tiles = (RUN_BYTES / tile_bytes).max(1) as u64;
    let runs = (SAMPLE_BYTES / RUN_BYTES) as u64;
    let step = (table.tiles() / runs).max(run_tiles);
    let sample: Vec<Vec<u32>> = (0..table.tiles())
        .step_by(step as usize)
        .map(|first| tiles(&ladder, table, first, run_tiles).into_iter().map(Into::into).collect())
        .collect();
    for transform in TRANSFORMS.into_iter().filter(|t| !t.planes || T::BYTES == 2) {
        for &frame_bytes in frame_sizes {
            let frame_cells = (frame_bytes / tile_bytes).max(1) * n * n;
            let frames: Vec<Vec<u8>> = sample
                .iter()
                .flat_map(|run| run.chunks(frame_cells))
                .map(|frame| transform.apply(frame, n, T::BYTES))
                .collect();
            for &level in levels {
                let mut compressor = Compressor::new(level).expect("zstd");
                let mut decompressor = Decompressor::new().expect("zstd");
                let total: usize = frames.iter().map(Vec::len).sum();
                let start = Instant::now();
                let packed: Vec<Vec<u8>> =
                    frames.iter().map(|f| compressor.compress(f).expect("zstd")).collect();
                let encode = start.elapsed().as_secs_f64();
                let mut out = vec![0; frames.iter().map(Vec::len).max().unwrap_or(0)];
                let start = Instant::now();
                for frame in &packed {
                    decompressor.decompress_to_buffer(frame, &mut out).expect("zstd");
                }
                let decode = start.elapsed().as_secs_f64();
                for (frame, expected) in packed.iter().zip(&frames) {
                    let len = decompressor.decompress_to_buffer(frame, &mut out).expect("zstd");
                    assert!(out[..len] == expected[..], "zstd gave back something else");
                }
                let size: usize = packed.iter().map(Vec::len).sum();
                println!(
                    "| {table} | {} | {level} | {} KiB | {:.3} | {:.2} | {:.2} |",
                    transform.name,
                    (frame_cells * T::BYTES) >> 10,
                    8.0 * size as f64 * T::BYTES as f64 / total as f64,
                    total as f64 / encode / 1e9,
                    total as f64 / decode / 1e9,
                );
            }
        }
    }
}

fn main() {
    println!("| table | codec | level | frame | bits/value | encode GB/s | decode GB/s |");
    println!("|---|---|---|---|---|---|---|");
    let table = |game, n, k| Table::new(game, n, k).expect("a small table");
    let sizes = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
    measure::<u8>(&table(games::END_NIM, 64, 5), &[1, 3, 9], &sizes);
    measure::<u8>(&table(games::END_NIM, 64, 4), &[1], &[64 << 10]);
    measure::<u8>(&table(games::MISERE_END_NIM, 64, 5), &[1], &[64 << 10]);
    measure::<u8>(&table(games::LOOP_END_NIM, 64, 5), &[1], &[64 << 10]);
    measure::<u8>(&table(games::END_NIM, 16, 7), &[1], &[64 << 10]);
    measure::<u8>(&table(games::END_NIM, 127, 4), &[1], &[64 << 10]);
    measure::<u16>(&table(games::END_NIM, 255, 3), &[1, 3], &[256 << 10]);
}
