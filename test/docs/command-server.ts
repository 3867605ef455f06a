import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

/**
 * Passes a command on with small programs, whose start is cheaper than that of Node, and ends as it did. The server
 * writes to a folder of the call.
 */
const writeScript = (folder: string, port: number): string => `#!/bin/sh
case "$1 $2" in
  serve* | record* | 'keys hash') exec node ${bin} "$@" ;;
esac
call=$(mktemp -d ${folder}/call-XXXXXX) || exit 70
{ printf '%s\\0' "$#" "$PWD" "$@" && env -0; } |
  curl --silent --fail --data-binary @- "http://127.0.0.1:${port}$call" || exit 70
if [ -s "$call/err" ]; then cat "$call/err" >&2; fi
if [ -s "$call/out" ]; then cat "$call/out"; fi
read -r code < "$call/code"
exit "$code"
`;

/** The number of arguments, the folder, the arguments and the variables, each ended by a NUL. */
const readCommand = (body: string): Command => {
  const [count, cwd = '', ...words] = body.split('\0').slice(0, -1);
  const variables = words.slice(Number(count)).map((each) => /^([^=]*)=([^]*)$/.exec(each)?.slice(1) ?? []);
  return { cwd, args: words.slice(0, Number(count)), env: Object.fromEntries(variables) as NodeJS.ProcessEnv };
};

export const startCommandServer = async (): Promise<CommandServer> => {
  const answer = async (request: IncomingMessage): Promise<Run> => {
    const { args, cwd, env } = readCommand(await text(request));
    return runHere(args, { cwd, env }).catch((error: unknown) => ({ code: 70, out: '', err: String(error) }));
  };
  // One after the other: a command has the working folder and the environment of this process.
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    for (const [name, content] of Object.entries(await answer(request)))
      writeFileSync(join(request.url ?? '', name), `${content}${name === 'code' ? '\n' : ''}`);
    response.end();
    resolve();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    install: (folder) => {
      const program = join(folder, 'koine');
      writeFileSync(program, writeScript(folder, (server.address() as AddressInfo).port));
      chmodSync(program, 0o755);
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
