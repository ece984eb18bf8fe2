// Round numbers for axes.

/** Returns round numbers in a range. @param {number} from @param {number} to @param {number} [most] their approximate maximum number */
export function ticks(from, to, most = 6) {
    const rough = (to - from) / most;
    const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
    const step = Math.max([1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough) ?? power, 1);
    const found = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
    return found;
}
