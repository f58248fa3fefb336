/** The load generator, a process of its own: its job as the one argument, its figures as JSON on standard output. Every answer is verified. */
import { readFileSync } from 'node:fs';
import { type Answer, open } from './connection.ts';
import type { Job, Loaded } from './job.ts';
import { createLane, faultOf, type Lane } from './lane.ts';
import { closedLoop, openLoop, type Pace } from './pace.ts';
import { createRecorder } from './recorder.ts';
import { type Template, templates, writeUid } from './templates.ts';

class Load {
  private readonly mixture = templates();
  private readonly lanes: Lane[];
  private readonly pace: Pace;
  private readonly recorder: ReturnType<typeof createRecorder>;
  private readonly job: Job;
  private readonly resolve: (loaded: Loaded) => void;
  private readonly reject: (error: Error) => void;
  private timer: NodeJS.Timeout | undefined;
  private count = 0;
  private measuring = false;
  private over = false;

  constructor(job: Job, resolve: (loaded: Loaded) => void, reject: (error: Error) => void) {
    this.job = job;
    this.resolve = resolve;
    this.reject = reject;
    this.recorder = createRecorder(job);
    this.lanes = Array.from({ length: job.connections }, (_, index) => createLane(index));
    const send = (lane: Lane, since: number) => this.send(lane, since);
    this.pace = job.rate === undefined ? closedLoop(send) : openLoop(job.rate, send);
  }

  async connect(ca: string): Promise<void> {
    for (const lane of this.lanes) {
      lane.connection = await open({
        port: this.job.port,
        ca,
        onAnswer: (answer) => this.answered(lane, answer),
        onEnd: (why) => this.broke(why),
      });
    }
  }

  begin(): void {
    this.timer = setTimeout(() => this.measure(), this.job.warmUpMs);
    this.pace.begin(this.lanes);
  }

  private measure(): void {
    this.measuring = true;
    this.recorder.begin();
    this.timer = setTimeout(() => this.finish(), this.job.measureMs);
  }

  private send(lane: Lane, since: number): void {
    const template = this.mixture[lane.turn % this.mixture.length] as Template;
    lane.turn += 1;
    this.count += 1;
    writeUid(template, this.count);
    lane.template = template;
    lane.count = this.count;
    lane.since = since;
    // Encrypted, and so copied, before this returns: the next may write its uid into the same bytes.
    lane.connection?.send(template.bytes);
  }

  private answered(lane: Lane, answer: Answer): void {
    if (this.over) return;
    const now = performance.now();
    const fault = faultOf(this.job.expecting, lane, answer);
    if (fault !== undefined) this.recorder.wrong(fault);
    if (this.measuring) this.recorder.took(now - lane.since);
    if (this.recorder.answers() >= (this.job.requests ?? Number.POSITIVE_INFINITY)) this.finish();
    else this.pace.free(lane, now);
  }

  private finish(): void {
    const loaded = this.recorder.finish();
    this.stop();
    this.resolve(loaded);
  }

  private broke(why: string): void {
    if (this.over) return;
    this.stop();
    this.reject(new Error(`a connection broke under load: ${why}`));
  }

  private stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.pace.end();
    for (const { connection } of this.lanes) connection?.close();
  }
}

const job = JSON.parse(process.argv[2] ?? '') as Job;
const ca = readFileSync(job.caFile, 'utf8');
// Rejects where a connection breaks: a server under load must hold them.
const loaded = await new Promise<Loaded>((resolve, reject) => {
  const load = new Load(job, resolve, reject);
  load.connect(ca).then(() => load.begin(), reject);
});
process.stdout.write(JSON.stringify(loaded));
