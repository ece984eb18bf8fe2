// Claims that the language of statements can express. Each claim has a game, a statement, and the
// lengths and the largest pile with which the page checks the statement.

/** Names for the three piles of a row, as in the theorems: a is the smaller end. */
const A = "let a = min(first, last); let b = p2; let c = max(first, last); ";
/** Returns a condition: a number ends in an odd number of zeros in binary. @param {string} n */
const odd = (n) => `v2(${n}) % 2 == 1`;

/** @type {Record<string, [string, string, string, string]>} */
export const STATEMENTS = {
    "bouton.thm1": ["nim", "P -> 0 not in options", "1-4", "24"],
    "bouton.general": ["nim", "g == xor(piles)", "1-4", "24"],
    "bouton.misere": ["misere-nim", "P <-> (k % 2 == 1 if max(piles) == 1 else xor(piles) == 0)", "1-4", "12"],
    "an.prop1": ["end-nim", "P and k >= 2 -> abs(first - last) <= 1", "2-4", "32"],
    "ch.cor2.4": ["end-nim", "max(piles) == min(piles) -> (P <-> k % 2 == 0)", "1-4", "24"],
    "ch.two-pile": ["end-nim", "g == first ^ last", "2-2", "256"],
    "ch.prop4.1": ["loop-end-nim", "g == (first - 1 ^ last - 1) + 1", "2-2", "256"],
    "ch.prop4.2": ["misere-end-nim", "let a = min(first, last); let b = max(first, last); " +
        "g == 1 <-> a == 1 and b == 1 or a >= 3 and a % 2 == 1 and b == a + 1", "2-2", "256"],
    "ch.three-pile-p": ["end-nim", "P <-> first == last and p2 != first", "3-3", "64"],
    "ch.thm5.1": ["end-nim", `${A}g == 1 <-> a == 1 and b == 1 and c == 1 or c == a + 1 and ` +
        "(b < a if a % 2 == 0 else b > a and b != a + 2) or c == a + 2 and a % 2 == 1 and b == c", "3-3", "64"],
    "ch.thm5.2": ["misere-end-nim", `${A}g == 1 <-> a == 1 and b == 2 and c == 2 or a == b and b == c and a >= 3 or ` +
        "c == a + 1 and (b == 1 if a % 2 == 0 else 2 <= b and b < a or b > c)", "3-3", "64"],
    "ch.thm5.3": ["loop-end-nim", `${A}g == 1 <-> c == a + 1 and (b < a if a % 2 == 0 else b > c) or ` +
        "c == a + 2 and a % 2 == 1 and b == a + 1", "3-3", "64"],
    "end.bound": ["end-nim", "k >= 2 -> g <= first + last", "2-4", "32"],
    "end.misere-2": ["misere-end-nim", "let a = min(first, last); let b = max(first, last); " +
        "g == 2 <-> a == 1 and b == 2 or a >= 4 and a % 2 == 0 and b == a + 1", "2-2", "256"],
    "end.misere-3": ["misere-end-nim", "let a = min(first, last); let b = max(first, last); " +
        "g == 3 <-> a == 1 and b == 3 or a == 2 and b == 5 or a >= 6 and a % 4 >= 2 and b == a + 2", "2-2", "256"],
    "partizan.even-n": ["partizan-end-nim", "k % 2 == 0 -> outcome != N", "1-4", "24"],
    "gn.thm2": ["short-global-nim", `last_move == p1 -> (N <-> ${odd("p1")})`, "1-1", "64"],
    "gn.thm3": ["short-global-nim", "p1 == 1 -> (P <-> last_move == 1)", "2-2", "24"],
    "gn.thm4": ["short-global-nim", "p1 != p2 -> (P <-> last_move == 1)", "2-2", "24"],
    "gn.cor5": ["short-global-nim", `p1 == p2 and last_move == 1 -> (P <-> p1 == 1 or ${odd("p1")})`, "2-2", "24"],
    "gn.thm6": ["short-global-nim", "k >= 3 -> (P <-> last_move == 1)", "3-4", "8"],
    "gn.smallest-pile": ["short-global-nim", "N and p1 > 1 and last_move != 1 -> P(p1 - 1; 1)", "1-1", "24"],
    "gn.prop7": ["short-global-nim", "g(p1) >= g", "1-1", "64"],
    "gn.prop8": ["short-global-nim", "g(p1; p1 + 1) == g(p1) and g(p1; p1 + 2) == g(p1)", "1-1", "64"],
    "gn.cor10": ["short-global-nim", "g != g(p1) -> g == g(p1 - last_move; last_move)", "1-1", "64"],
    "gn.prop16": ["short-global-nim", "g(p1) <= (2 * p1 // 3 if p1 % 3 == 0 else 2 * (p1 // 3) + 1)", "1-1", "64"],
    "gn.half-bound": ["short-global-nim", "g(p1) <= (p1 // 2 + 2 if p1 % 2 == 0 else (p1 - 1) // 2 + 3)", "1-1", "64"],
    "gn.three-increasing": ["short-global-nim", "p1 >= 4 -> not (g(p1 - 3) < g(p1 - 2) and g(p1 - 2) < g(p1 - 1) and " +
        "g(p1 - 1) < g(p1))", "1-1", "64"],
    "lgn.thm23": ["long-global-nim", `size == p1 - 1 and p1 not in moves -> (N <-> ${odd("p1")})`, "1-1", "10"],
    "lgn.thm24": ["long-global-nim", "size == 2 -> (N <-> sum(i in moves: i) > p1)", "1-1", "14"],
    "lgn.thm27": ["long-global-nim", "size == 4 and p1 not in moves -> let i = min(moves); let l = max(moves); " +
        "let j = min(moves - {i}); let m = max(moves - {l}); N <-> i + j > p1 or " +
        "i + j + m <= p1 and p1 < i + j + m + l and (i + j + l <= p1 or m + l > p1) or " +
        "i + j + l <= p1 and p1 < i + j + m + l and m + l > p1", "1-1", "12"],
    "lgn.thm27.corrected": ["long-global-nim", "size == 4 -> let i = min(moves); let l = max(moves); " +
        "let j = min(moves - {i}); let m = max(moves - {l}); N <-> i + l > p1 or " +
        "i + j + m <= p1 and p1 < m + l or i + j + l <= p1 and p1 < i + j + m + l", "1-1", "12"],
    "lgn.conj34": ["long-global-nim", "size == p1 -> tri(g) <= p1 and p1 < tri(g + 1)", "1-1", "14"],
};

/** Families of rows that prove a claim: a game and the family. @type {Record<string, [string, string][]>} */
export const FAMILIES = {
    "all.nonregular": [["end-nim", "3* 1 3*"], ["misere-end-nim", "3* 2,2 3*"], ["loop-end-nim", "3* 2,2 3*"]],
    "all.partizan": [["partizan-end-nim", "2* 1 2*"]],
};
