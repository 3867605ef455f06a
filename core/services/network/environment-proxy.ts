/** The proxy for a connection; undefined where it is direct. */
export type FindProxy = (protocol: string, host: string, port: number) => URL | undefined;

/** Lower-case names take precedence, as in curl. */
const readVariable = (env: Readonly<NodeJS.ProcessEnv>, name: string): string =>
  env[name.toLowerCase()]?.trim() || env[name]?.trim() || '';

/** The variables that name proxies. */
const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/** Whether a text is the URL of a proxy that this gateway can use: http or https, without a path. */
export function isProxyUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === '';
}

/** The values of the variables that name a proxy and are set. */
export const listEnvironmentProxies = (
  env: Readonly<NodeJS.ProcessEnv>,
): readonly (readonly [name: string, url: string])[] =>
  proxyVariables.flatMap((name) => {
    const url = readVariable(env, name);
    return url === '' ? [] : [[name, url] as const];
  });

const readException = (entry: string): ((host: string, port: number) => boolean) => {
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const domain = name.replace(/^\*?\./, '').toLowerCase();
  return (host, actual) =>
    (port === undefined || Number(port) === actual) &&
    (domain === '*' || host === domain || (domain !== '' && host.endsWith(`.${domain}`)));
};

/**
 * Chooses by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`: a list of hosts with their subdomains, each with a port or
 * without, or `*` for all.
 */
export function createEnvironmentProxy(env: Readonly<NodeJS.ProcessEnv>): FindProxy {
  const proxies = new Map(listEnvironmentProxies(env).map(([name, url]) => [name, new URL(url)]));
  const exceptions = readVariable(env, 'NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readException);
  return (protocol, host, port) =>
    exceptions.some((matches) => matches(host.toLowerCase(), port))
      ? undefined
      : proxies.get(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
}
