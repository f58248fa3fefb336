/** The load generator, a process of its own: its job as the one argument, its figures as JSON on standard output. */
import { readFileSync } from 'node:fs';
import { drive } from './drive.ts';
import type { Job } from './job.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
const loaded = await drive(job, readFileSync(job.caFile, 'utf8'));
process.stdout.write(JSON.stringify(loaded));
