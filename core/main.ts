import '../bin/check-node.js';
import { builtIns } from './built-ins.ts';
import { runCli } from './cli/index.ts';
import { reportCrashes } from './server/shutdown/report-crash.ts';

reportCrashes();
process.exitCode = await runCli(process.argv.slice(2), builtIns);
