/** What was done so that a verdict costs less, with the figures of before and after: written by hand, as each step was measured. */

/** A section of docs/performance.md. */
export const MENDED = `## What was mended

CPU time of a request at 16 connections, medians of interleaved rounds of 3,000 requests on a machine at a load of 14 on two cores: a bare
\`node:https\` took 37 to 42 µs there and the fastify echo 66 to 76, about twice of what they take on a quiet one. Compare within a line.

| step | before | after |
|---|---|---|
| a verdict that needs no read is given without a timer, a race or an AbortController, each of whose ends made an error with a stack; admission requests are taken before fastify's routing, hooks and content types; contexts of rules are made without copies | 290 µs | 248 µs |
| lines of the log are gathered for 20 ms: fifty writes a second, where each line woke another thread | 34 µs in the system | 26 µs |
| rules that compare with others answer at once where nothing has to be read: 14 of the 25 reviews of the mixture waited for promises | 5.7 times the bare server | 5.1 times |
| what is judged is not frozen in the server (every rule is tested and fuzzed with what is); the line of log is made in one go; six rules on the life of a feature share one look at it | 206 µs | 197 µs |
| all of it, with bounds for overload that came meanwhile, in one run | 330 µs | 216 µs |

Resident memory after 40,000 requests went from 297 to 135 MiB, nearly all of it with the first step; the echo has 94.

Where the rest goes, by leaving parts out (the echo took 81 µs in that run): connections, limits, the body and an answer 25 µs over a bare
server; survey, parsing and reading the review 45; rules 70, most of it those on features; the answer's text 3; log and metrics 22. A loop
that judges the same reviews takes a third of that: in a server each part finds the caches of the processor full of the others.

Tried and left: a smaller room for young objects, before the steps above (no less CPU time; 207 to 239 MiB instead of some 300).
`;
