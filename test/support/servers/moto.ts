import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const isInstalled = spawnSync('moto_server', ['--help']).status === 0;

/** Skips where there is no moto_server, except in CI, where there has to be one. Call it in a `before` hook. */
export const requireMoto = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error("moto_server is missing: install it (pip install 'moto[s3,server]').");
  context.skip();
};

/** A server with the API of Amazon S3 that refuses requests whose signature it does not compute itself. */
export interface Moto {
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): Promise<void>;
}

/** Requests that are not checked: those that `startMoto` sends. */
const SET_UP_REQUESTS = 4;
const POLICY = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] };

const send = async (url: string, service: string, init: RequestInit): Promise<string> => {
  const scope = `Credential=any/20261123/us-east-1/${service}/aws4_request`;
  const headers = { authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0` };
  const response = await fetch(url, { headers, ...init });
  const text = await response.text();
  if (!response.ok) throw new Error(`moto refused a request of the set-up: ${text}`);
  return text;
};

/**
 * Starts it with a user, a key of the user, and a bucket in us-east-1.
 * @param signed whether it checks signatures. It computes wrong ones for names with characters that are encoded
 */
export async function startMoto(bucket: string, signed = true): Promise<Moto> {
  const child = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], {
    env: {
      ...process.env,
      INITIAL_NO_AUTH_ACTION_COUNT: String(signed ? SET_UP_REQUESTS : 1e9),
      PYTHONUNBUFFERED: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let url = '';
  const lines = createInterface(child.stderr);
  for await (const line of lines) {
    url = /Running on (http:\/\/\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  child.stderr.resume();
  const manage = (action: string, parameters: Record<string, string> = {}): Promise<string> => {
    const body = new URLSearchParams({ Action: action, Version: '2010-05-08', UserName: 'koine', ...parameters });
    return send(url, 'iam', { method: 'POST', body });
  };
  await manage('CreateUser');
  const key = await manage('CreateAccessKey');
  await manage('PutUserPolicy', { PolicyName: 'objects', PolicyDocument: JSON.stringify(POLICY) });
  await send(`${url}/${bucket}`, 's3', { method: 'PUT' });
  const read = (name: string): string => new RegExp(`<${name}>(.+?)</${name}>`).exec(key)?.[1] ?? '';
  return {
    url,
    accessKeyId: read('AccessKeyId'),
    secretAccessKey: read('SecretAccessKey'),
    stop: async () => {
      child.kill();
      await once(child, 'close');
    },
  };
}
