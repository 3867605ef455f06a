import { pinThisProcess } from './gateways/machine.ts';
import { startUpstream } from './gateways/processes.ts';
import { groups } from './measure/lanes.ts';
import { runGroup } from './measure/run-group.ts';
import { options } from './options.ts';
import { formatGroup } from './report.ts';

if (options.isList) {
  for (const { title, lanes } of groups) console.log(`${title}: ${lanes.map(({ name }) => name).join(', ')}`);
  process.exit(0);
}
pinThisProcess();
const upstream = await startUpstream();
for (const group of groups) {
  const result = await runGroup(group, upstream);
  if (result !== undefined) console.log(`\n${formatGroup(result)}`);
}
await upstream.stop();
