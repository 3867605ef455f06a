import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { runHere } from '../core/cli/run-here.ts';
import type { Run } from '../core/cli/run-koine.ts';
import { bin } from '../support/servers/koine-program.ts';

/** Runs the commands of koine that a script names, in this process: a program per command takes ten times the CPU. */
export interface CommandServer {
  /**
   * Writes the program `koine` to a folder of programs. What serves, or reads its standard input, is a process of its
   * own.
   */
  install(folder: string): void;
  stop(): Promise<void>;
}

interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A process that only passes a command on. */
const writeClient = (port: number): string => `
const { argv, env } = process;
const body = JSON.stringify({ args: argv.slice(2), cwd: process.cwd(), env });
const options = { port: ${port}, host: '127.0.0.1', method: 'POST' };
const request = require('node:http').request(options, async (response) => {
  const { code, out, err } = JSON.parse(Buffer.concat(await response.toArray()).toString());
  process.stderr.write(err);
  process.stdout.write(out);
  process.exitCode = code;
});
request.end(body);
`;

const writeScript = (client: string): string => `#!/bin/sh
case "$1 $2" in
  serve* | record* | 'keys hash') exec node ${bin} "$@" ;;
  *) exec node ${client} "$@" ;;
esac
`;

export const startCommandServer = async (): Promise<CommandServer> => {
  const answer = async (request: IncomingMessage): Promise<Run> => {
    const { args, cwd, env } = (await json(request)) as Command;
    return runHere(args, { cwd, env }).catch((error: unknown) => ({ code: 70, out: '', err: String(error) }));
  };
  // One after the other: a command has the working folder and the environment of this process.
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    response.end(JSON.stringify(await answer(request)));
    resolve();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    install: (folder) => {
      const [program, client] = [join(folder, 'koine'), join(folder, 'koine-client.cjs')];
      writeFileSync(client, writeClient((server.address() as AddressInfo).port));
      writeFileSync(program, writeScript(client));
      chmodSync(program, 0o755);
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
