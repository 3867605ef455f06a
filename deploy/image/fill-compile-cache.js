// Starts the gateway once while the image is built, so that the compiled code of its modules is in the folder of
// NODE_COMPILE_CACHE. `koine check` would not do: `serve` sets a flag of V8, and code of other flags is not valid.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// In an empty folder, `serve` writes a first configuration.
const cwd = mkdtempSync(join(tmpdir(), 'koine-'));
const words = [resolve('dist/bin/koine.js'), 'serve', '--port', '0', '--admin-port', '0'];
const gateway = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
let log = '';
let isStopping = false;
gateway.stderr.on('data', (chunk) => {
  log += chunk;
  if (isStopping || !log.includes('koine serves')) return;
  isStopping = true;
  gateway.kill('SIGINT');
});
gateway.once('close', (code) => {
  if (code !== 0) process.stderr.write(log);
  process.exitCode = code ?? 1;
});
