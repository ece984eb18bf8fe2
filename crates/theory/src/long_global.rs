//! Long global nim: sections 4 and 5 of the 2008 paper in INTEGERS.

use crate::checks::subsets::{
    self,
    Reading::{EveryTerm, FirstTerm},
    g_series_cost,
};
use crate::checks::{printed_cost, several_piles};
use crate::claim::{Rule, check};
use crate::conjecture;

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("lgn.thm23", check(subsets::theorem_23, subsets::cost)),
    ("lgn.thm24", check(subsets::theorem_24, subsets::cost)),
    ("lgn.thm25", check(subsets::theorem_25, subsets::cost)),
    ("lgn.thm26", check(subsets::theorem_26, subsets::cost)),
    ("lgn.thm27", check(subsets::theorem_27_as_printed, subsets::cost)),
    ("lgn.thm27.corrected", check(subsets::theorem_27_corrected, subsets::cost)),
    ("lgn.play-remark", check(subsets::play_remark, subsets::cost)),
    ("lgn.five-choice", check(subsets::five_choices, subsets::cost)),
    ("lgn.five-remark", check(subsets::five_remark, subsets::cost)),
    ("lgn.thm28", check(several_piles::theorem_28, several_piles::equal_piles_cost)),
    ("lgn.prop29", check(several_piles::proposition_29, several_piles::cost)),
    ("lgn.prop30", check(several_piles::proposition_30, several_piles::cost)),
    ("lgn.prop30-sharp", check(several_piles::proposition_30_is_sharp, several_piles::cost)),
    ("lgn.example", check(subsets::example, printed_cost)),
    ("lgn.thm33", check(|job| subsets::theorem_33(job, FirstTerm), g_series_cost)),
    ("lgn.thm33-every-term", check(|job| subsets::theorem_33(job, EveryTerm), g_series_cost)),
    ("lgn.conj34", check(conjecture::check, conjecture::cost)),
];
