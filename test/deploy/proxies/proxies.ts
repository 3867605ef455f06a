import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/release/lockfile.ts';
import { findFreePort } from '../../../core/server/primary/free-port.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { startProgram, type Program } from '../programs.ts';

const certificates = join(root, 'test/faults/tls');
export const ca = readFileSync(join(certificates, 'ca.pem'), 'utf8');

export interface Proxy extends Program {
  readonly url: string;
}

export interface ProxyKind {
  readonly name: string;
  readonly command: string;
  /** Starts it with the shipped file, in front of the gateways at these addresses. */
  start(folder: string, gateways: readonly string[]): Promise<Proxy>;
}

/** The shipped file with other names and addresses. Each of them must be in it. */
const adapt = (path: string, replacements: Readonly<Record<string, string>>): string => {
  let text = readFileSync(join(root, 'deploy/proxies', path), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`deploy/proxies/${path} does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
};

const begin = async (port: number, command: string, args: readonly string[], home: string): Promise<Proxy> => {
  const program = startProgram(command, args, { env: { HOME: home } });
  const url = `https://localhost:${port}`;
  const responds = (): Promise<boolean> =>
    send(url, { method: 'GET', path: '/readyz', ca }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(`${command} serves`, async () => program.isOver() || (await responds()));
  if (program.isOver()) throw new Error(`${command} did not start: ${program.output()}`);
  return { ...program, url };
};

const nginx: ProxyKind = {
  name: 'nginx',
  command: 'nginx',
  start: async (folder, gateways) => {
    const home = join(folder, 'nginx');
    mkdirSync(home);
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    const site = adapt('nginx.conf', {
      'server 127.0.0.1:8787;': gateways.map((address) => `server ${address};`).join(' '),
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      'koine.example.com': 'localhost',
      '/etc/nginx/koine-cert.pem': join(certificates, 'good.pem'),
      '/etc/nginx/koine-key.pem': join(certificates, 'server.key'),
      '/var/log/nginx/koine.log': join(home, 'access.log'),
    });
    writeFileSync(join(home, 'koine.conf'), site);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
    const main = `daemon off; pid nginx.pid; worker_processes 1; events {} http { ${folders.join(' ')} include koine.conf; }`;
    writeFileSync(join(home, 'nginx.conf'), main);
    return begin(port, 'nginx', ['-p', home, '-c', 'nginx.conf', '-e', 'stderr'], home);
  },
};

const caddy: ProxyKind = {
  name: 'Caddy',
  command: 'caddy',
  start: async (folder, gateways) => {
    const home = join(folder, 'caddy');
    mkdirSync(home);
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    const tls = `tls ${join(certificates, 'good.pem')} ${join(certificates, 'server.key')}`;
    const site = adapt('Caddyfile', {
      'reverse_proxy 127.0.0.1:8787': `reverse_proxy ${gateways.join(' ')}`,
      'koine.example.com {': `https://localhost:${port} {\n\t${tls}`,
    });
    const config = join(home, 'Caddyfile');
    writeFileSync(config, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    return begin(port, 'caddy', ['run', '--config', config, '--adapter', 'caddyfile'], home);
  },
};

export const proxyKinds: readonly ProxyKind[] = [nginx, caddy];
