// Loaded into the process of a gateway before its own code (node --import). It reports how long one turn of the event
// loop took at most since the last report, by the clock and in processor time of the main thread. Other programs on the
// machine lengthen the first figure only.

let longest = { wallMs: 0, cpuMs: 0 };
let rss = 0;
let [at, used] = [performance.now(), process.threadCpuUsage()];
setInterval(() => {
  const [now, usedNow] = [performance.now(), process.threadCpuUsage()];
  const cpuMs = (usedNow.user - used.user + usedNow.system - used.system) / 1_000;
  longest = { wallMs: Math.max(longest.wallMs, now - at), cpuMs: Math.max(longest.cpuMs, cpuMs) };
  rss = Math.max(rss, process.memoryUsage.rss());
  [at, used] = [now, usedNow];
}, 1).unref();

process.on('message', (message) => {
  if (message !== 'report') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ ...longest, rss, totalMs: (user + system) / 1_000 });
  longest = { wallMs: 0, cpuMs: 0 };
  rss = 0;
});
process.channel?.unref();
