import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../tools/release/dry/run.ts';

const VERDACCIO = '6.10.4';
/** Not every registry has the tag `cjs` of this package, which Verdaccio names. */
const overrides = { 'node-fetch': '2.7.0' };

const CONFIGURATION = `
storage: ./storage
web: { enable: false }
packages: { '**': { access: $all, publish: $all } }
log: { type: stdout, format: json, level: error }
`;

const SERVE = `
  require('verdaccio').runServer('./config.yaml').then((server) =>
    server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port)));`;

export interface LocalRegistry {
  /** Runs npm with this registry. @returns standard output @throws Error with standard error */
  npm(words: readonly string[], folder: string): string;
  stop(): Promise<void>;
}

/** Installs Verdaccio in a folder and starts it. */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  const manifest = { private: true, dependencies: { verdaccio: VERDACCIO }, overrides };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--silent', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  writeFileSync(join(folder, 'config.yaml'), CONFIGURATION);
  const server = spawn(process.execPath, ['-e', SERVE], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  const port = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, found] = /^port (\d+)$/m.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.once('exit', () => reject(new Error(`Verdaccio did not start: ${printed}`)));
  });
  const host = `127.0.0.1:${port}/`;
  const settings = join(folder, 'npmrc');
  // npm publishes with a token only. This registry accepts any.
  writeFileSync(settings, `registry=http://${host}\n//${host}:_authToken=any\n`);
  return {
    npm: (words, cwd) => run('npm', [...words, `--userconfig=${settings}`], { cwd }),
    stop: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}
