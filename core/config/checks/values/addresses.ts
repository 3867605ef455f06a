import { readList } from '../../../canonical/json/read.ts';
import { isMetadataHost, normalizeHost } from '../../../services/network/metadata-address.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import { collectTexts, isOption } from '../../secrets/secret-paths.ts';
import type { CheckContext } from '../check.ts';
import { entries, member, text } from '../tolerant.ts';

/** A scheme, a path, or a port behind a name. `::1` is an address. */
const NOT_A_HOST = /:\/\/|\/|^[^:]*:\d+$|^\[.*\]/;

/** The host of a listener is a name or an address alone: its port is a setting of its own. */
export function* checkHosts({ data, isWritten }: CheckContext): Iterable<Finding> {
  for (const listener of ['server', 'admin']) {
    const path: Path = [listener, 'host'];
    const host = text(member(member(data, listener), 'host'));
    if (host === undefined || !isWritten(path) || !NOT_A_HOST.test(host)) continue;
    const message =
      `${describePath(path)} must be a name or an address alone, such as 127.0.0.1 or ::1: without a scheme, a ` +
      `path or brackets, and with the port in ${listener}.port.`;
    yield { path, rule: 'invalid-address', message };
  }
}

/** The paths of vendors' endpoints below their version: `/chat/completions`. The gateway serves the same. */
const endpointsOf = (data: unknown): ReadonlySet<string> =>
  new Set(
    readList(member(data, 'routes')).flatMap((route) => {
      const [, endpoint] = /^\/v\d\w*(\/[^{:]*[^{:/])$/.exec(text(member(route, 'path')) ?? '') ?? [];
      return endpoint ?? [];
    }),
  );

/** The path of an endpoint is added to `baseUrl`: one that has it already would be called twice over. */
export function* checkBaseUrls({ data, isWritten }: CheckContext): Iterable<Finding> {
  const endpoints = endpointsOf(data);
  for (const [name, provider] of entries(member(data, 'providers'))) {
    const path: Path = ['providers', name, 'config', 'baseUrl'];
    const url = text(member(member(provider, 'config'), 'baseUrl'))?.replace(/[/?]+$/, '') ?? '';
    const endpoint = endpoints.values().find((each) => url.endsWith(each));
    if (endpoint === undefined || !isWritten(path)) continue;
    const message =
      `${describePath(path)} ends with ${endpoint}, the path of an endpoint, which the gateway adds itself. ` +
      'Remove it.';
    yield { path, rule: 'invalid-address', message };
  }
}

/** A scheme, a host and optionally a port: it is compared with the origin of a URL. */
const isOrigin = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`;

/** The private origins from which a provider can fetch media must be exact. */
export function* checkMediaOrigins({ data }: CheckContext): Iterable<Finding> {
  for (const [name, provider] of entries(member(data, 'providers')))
    for (const [index, origin] of readList(member(member(provider, 'fetchMedia'), 'allow')).entries()) {
      const path: Path = ['providers', name, 'fetchMedia', 'allow', index];
      if (typeof origin !== 'string' || isOrigin(origin)) continue;
      const message = `${describePath(path)} must look like https://files.internal or http://10.0.0.5:9000.`;
      yield { path, rule: 'invalid-address', message };
    }
}

const isAddress = (path: Path): boolean => isOption(path) || (path[0] === 'providers' && path[2] === 'fetchMedia');

/**
 * No URL may be a metadata address, unless the operator allows it for that provider. The addresses to which names
 * resolve are checked by each connection.
 */
export function* checkMetadataAddress({ data }: CheckContext): Iterable<Finding> {
  const texts = collectTexts({ providers: member(data, 'providers'), plugins: member(data, 'plugins') });
  for (const [path, value] of texts) {
    if (!isAddress(path) || !/^https?:/i.test(value) || !URL.canParse(value)) continue;
    const { hostname } = new URL(value);
    if (!isMetadataHost(hostname)) continue;
    const [section, name, part] = path;
    const isProvider = section === 'providers' && part === 'config';
    const provider = isProvider ? member(member(data, 'providers'), String(name)) : undefined;
    const allowed = readList(member(provider, 'allowMetadata'));
    const host = normalizeHost(hostname);
    if (allowed.some((each) => typeof each === 'string' && normalizeHost(each) === host)) continue;
    const remedy = isProvider
      ? ` If the provider really has this address, add ${host} to providers.${name}.allowMetadata.`
      : '';
    const message =
      `${describePath(path)} is a cloud metadata address, which serves the credentials of this machine. ` +
      `Calls to it are refused.${remedy}`;
    yield { path, rule: 'metadata-address', message };
  }
}
