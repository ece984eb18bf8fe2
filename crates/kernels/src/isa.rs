//! Names the instruction sets of the kernels, and detects those of this machine.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// The baseline instructions of the target, which every CPU has.
    Portable,
    /// x86-64 with AVX2 and BMI.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL and VBMI, and with GFNI (Ice Lake, Zen 4 and later).
    Avx512,
    /// 64-bit ARM with NEON. All ARM systems in common use have NEON.
    Neon,
}

impl Isa {
    /// Every instruction set, slowest first for each kind of processor.
    pub const ALL: [Isa; 4] = [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Neon];

    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Neon => "neon",
        }
    }

    pub fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("gfni")
            }
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            // The instruction set belongs to another kind of processor.
            #[allow(unreachable_patterns, reason = "the arms above match the others")]
            _ => false,
        }
    }

    pub fn available() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available())
    }

    pub fn best() -> Isa {
        Isa::available().last().unwrap_or(Isa::Portable)
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownIsa {
    #[error("unknown instruction set '{0}'; choose portable, avx2, avx512 or neon")]
    Name(String),
    #[error("this machine has no {0}; it has {here}", here = names_here())]
    Missing(Isa),
}

fn names_here() -> String {
    let names: Vec<&str> = Isa::available().map(Isa::name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Isa, UnknownIsa> {
        let wanted = name.to_ascii_lowercase().replace('-', "");
        let isa = Isa::ALL.into_iter().find(|isa| isa.name() == wanted);
        let isa = isa.ok_or_else(|| UnknownIsa::Name(name.to_owned()))?;
        if isa.is_available() { Ok(isa) } else { Err(UnknownIsa::Missing(isa)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let names = Isa::ALL.map(|isa| isa.to_string());
        assert_eq!(names, ["portable", "avx2", "avx512", "neon"]);
        for isa in Isa::available() {
            assert_eq!(isa.name().parse(), Ok(isa));
        }
        assert_eq!(" Portable".trim().parse(), Ok(Isa::Portable));
        // Intel's spelling is AVX-512.
        if Isa::Avx512.is_available() {
            assert_eq!("AVX-512".parse(), Ok(Isa::Avx512));
        }
        for wrong in ["", "avx", "sse2", "portable "] {
            let error = wrong.parse::<Isa>().unwrap_err();
            assert_eq!(error, UnknownIsa::Name(wrong.to_owned()));
            assert!(error.to_string().contains(&format!("'{wrong}'; choose portable, avx2,")));
        }
        let names = names_here();
        assert!(names.starts_with("portable"), "{names}");
        for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_available()) {
            let error = isa.name().parse::<Isa>().unwrap_err();
            assert_eq!(error, UnknownIsa::Missing(isa));
            assert_eq!(error.to_string(), format!("this machine has no {isa}; it has {names}"));
        }
        assert_eq!(names.matches(" and ").count(), usize::from(Isa::available().count() > 1));
        assert!(Isa::available().all(|isa| names.contains(isa.name())));
    }
}
