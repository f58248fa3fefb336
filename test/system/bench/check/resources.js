/** Preloaded into a measured process: when it ends, writes what it took to the file that BENCH_RESOURCES names. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const took = { peakMiB: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env['BENCH_RESOURCES'] ?? '', JSON.stringify(took));
});
