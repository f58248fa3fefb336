/** What was done so that a verdict costs less, with the figures of before and after: written by hand, as each step was measured. */

/** A section of docs/performance.md. */
export const MENDED = `## What was mended

CPU time of a request at 16 connections, but where a line says otherwise. Each line was measured in one run, with the servers in turn;
compare within a line, since the machine was busy with other things in some of them. *In a loop*: over the reviews of the mixture, in one
process, where everything is at hand; in a server the same takes about twice as long.

The first day, when a bare \`node:https\` took 37 to 42 µs in the same runs and the fastify echo 66 to 76:

| step | before | after |
|---|---|---|
| a verdict that needs no read is given without a timer, a race or an AbortController, each of whose ends made an error with a stack; admission requests are taken before fastify's routing, hooks and content types; contexts of rules are made without copies | 290 µs | 248 µs |
| lines of the log are gathered for 20 ms: fifty writes a second, where each line woke another thread | 34 µs in the system | 26 µs |
| rules that compare with others answer at once where nothing has to be read: 14 of the 25 reviews of the mixture waited for promises | 5.7 times the bare server | 5.1 times |
| what is judged is not frozen in the server (every rule is tested and fuzzed with what is); the line of log is made in one go; six rules on the life of a feature share one look at it | 206 µs | 197 µs |

The second, when the bare server took 24 to 28 µs and the echo 55 to 60:

| step | before | after |
|---|---|---|
| **requests whose bodies end in one turn of the event loop are decided together, then answered together, then told of together**: the code and data of each stage stay in the processor's caches, and whoever asked is woken once for many answers | 118 µs, at 64 connections 90 | 61 µs, at 64 connections 68 |
| a request that is decided at once goes its way in plain calls: no promise, no closure, no weak map; one listener for what were three; places, budgets and lines are touched only by those who wait (with what else was mended in that hour) | 183 µs | 141 µs |
| rules and engine: nothing is made until something is found (no generator, list or closure); shapes are settled with the configuration; members are read by name; times as the API server writes them are read digit by digit | 11 µs in a loop, 20 in the server | 1.8 µs in a loop, 5 in the server |
| compiled schemas ask for lengths by their limit, and take one parameter: a condition | 1.07 µs in a loop | 0.14 µs |
| a small body is searched for brackets in place of a walk over its bytes: too few for 200 levels are never too deep | 3.6 µs in a loop | 0.9 µs |
| the members of an AdmissionReview are read once, by name | 1.8 µs in a loop | 0.3 µs |
| a line of log is written by hand, straight into one of two buffers | 3.0 µs in a loop | 1.0 µs |
| counters of requests are plain numbers, told to the metrics client when someone looks | 0.73 µs in a loop | 0.25 µs |
| an answer is written by hand but for what a refusal says, and nothing is rendered where nothing was found | 0.69 µs in a loop | 0.15 µs |
| an answer that is ASCII goes out as Latin 1; a decision is made in one piece | 58 µs | 54 µs |
| 64 small requests of one address, or a few large ones, begin in a turn, where it was 16 of any size: fewer wait, and there is a seventh of the full collections of garbage | at 64 connections 70 µs | 62 µs |
| V8's room for young objects stays at 16 MB, where it grew to 128: resident memory after 50,000 requests | 156 MiB | 121 MiB |

The third. Both servers ran at once on the one core, under load of their own, which halves the speed of both and leaves a busy neighbour no favourite; what is
told is the median of 50 to 60 windows, as a part of what the server of the day before took in the same window:

| step | before | after |
|---|---|---|
| a request's body goes straight to who reads it: as a stream of Node's it waited for a turn to begin, another to end and a third to close, each with listeners of its own | 1 | 0.945 |
| the room for young objects is 32 MB: half as many looks, each of which finds the same in use (2.3 µs a request on the main thread, now 1.4; a fifth more memory) | 0.945 | 0.916 |
| an answer that found nothing is ready made; the log knows the kinds that are judged by heart; what is read of each rule stands in the plan, where all are of one form | 0.916 | 0.907 |
| after a quiet while, in which V8 shrinks that room to 1 MB, it grows back in one step: looks in 10 s of 1,000 requests a second | 105 to 123 | 7 to 17 |

Where the rest goes, by samples of the processor: a third is what the bare server does, too (kernel, TLS, HTTP); \`JSON.parse\` of the review takes
10 µs, the way out through Node's streams and the kernel 10, judging 4, collecting garbage and compiling 3, log and metrics 3, the look for
brackets 2.

Tried and left:

- to judge reviews of our own in idle moments after the start, so that code is compiled before anybody asks: no difference to what is added to a create;
- to leave \`managedFields\` out before parsing: the search for its end costs what the parser saves (8.3 µs, 9.0 with it); found by its rarest letter, 8.0 of
  8.8 in a loop, and nothing in the server;
- Node 26 in place of 24: the bare server gains as much (54 to 57 µs, 24 to 29); Node without its frames for asynchronous contexts: no difference;
- to decode all before any is judged, and to look once more for newcomers before a sitting: within the noise; sittings of 8 (65 µs, 59 with 16);
- garbage collection by one thread, or without marking beside the program: no difference; without V8's last compiler: 71 µs for 64;
- Node's own code in large pages: no difference (61.5 µs, 60.7 and 63.9 without, in 20 rounds); more of it inlined: none; compiling sooner, for fresh servers: 1.22
  to 1.36 ms added to a create, 1.27 as it is;
- lines as one growing string (1.2 µs, 0.9 in buffers); a refusal's status by hand (1.1 µs, 0.8 by \`JSON.stringify\`);
- no timers of connections (\`keepAliveTimeout\` 0): no difference; none of muster's own (the watch for stalls, the room for young objects) and none of the metrics
  client's, which wake an idle server 170 times a second: 1.8 % of a core when idle, 0.2 to 0.8 without; at 1,000 requests a second 252 µs a request, 241 without;
- the room for young objects at its size from the first moment: two collections in the start, in place of seven, and no difference to it (Node throws away the
  code that it holds ready once a flag is another);
- several workers in one pod: to show what two make of two cores takes a machine with a third for the load; replicas do the same, and are there.
`;
