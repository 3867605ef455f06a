/** A URL of Postgres with one or several hosts, as libpq defines it. */
export interface PostgresHosts {
  /** A URL for each host, in order. */
  readonly urls: readonly string[];
  /** The hosts as they are written, with their ports. */
  readonly hosts: string;
  /** `target_session_attrs`. */
  readonly target: string | undefined;
}

const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<path>[^?#]*)(?<query>\?[^#]*)?/i;

/**
 * Splits `postgres://user:password@one:5432,two:5432/database`. `target_session_attrs` is taken out: pg does not know
 * it. https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function splitHosts(url: string): PostgresHosts {
  const { before = '', hosts = '', path = '', query = '' } = PARTS.exec(url)?.groups ?? {};
  const parameters = query.slice(1).split('&');
  const target = parameters.find((each) => each.startsWith('target_session_attrs='))?.split('=')[1];
  const kept = parameters.filter((each) => each !== '' && !each.startsWith('target_session_attrs='));
  const after = `${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
  return { urls: hosts.split(',').map((host) => `${before}${host}${after}`), hosts, target };
}
