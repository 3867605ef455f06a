/** What the settings lack, by what Redis or TLS report. The first match applies. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^MOVED /, 'this is a node of a Redis Cluster: name its nodes in store.redis.cluster'],
  [/cluster support disabled/, 'this is not a Redis Cluster: write its address as store.redis.url'],
  [/No such master|invalid reply: null/, 'the Sentinels know no primary of this name: check store.redis.sentinel.name'],
  [/sentinel.*NOAUTH|NOAUTH.*sentinel/is, 'the Sentinels need store.redis.sentinel.password'],
  [/sentinel.*(?:WRONGPASS|invalid password)/is, 'check username and password of store.redis.sentinel'],
  [/unknown command .?sentinel/i, 'this is not a Sentinel: check store.redis.sentinel.hosts'],
  [/NOAUTH/, 'set store.redis.password, or the password of its URL'],
  [/WRONGPASS|invalid password/, 'check username and password of store.redis'],
  [/NOPERM/, 'its user needs all commands of scripts and all keys (ACL: ~koine:* +@all)'],
  [/READONLY/, 'this is a replica: write the address of the primary, or store.redis.sentinel'],
  [
    /certificate required|handshake failure|bad certificate/i,
    'it needs a client certificate: store.redis.tls.cert and key',
  ],
  [/alert unknown ca/i, 'it does not trust the authority of the client certificate: check store.redis.tls.cert'],
  [/self.signed|unable to (?:get|verify)/i, 'its authority is not trusted: set store.redis.tls.ca'],
  [/altname|does not match certificate/i, 'its certificate is for another name: set store.redis.tls.serverName'],
  [/certificate has expired/i, 'its certificate has expired'],
  [/wrong version number|packet length too long/i, 'it does not use TLS: write redis://, and no store.redis.tls'],
  [/connect ETIMEDOUT/, 'check the address and the network, and with TLS that the port is the one for TLS'],
  [/closed the connection/, 'it may need TLS: write rediss://, or store.redis.tls'],
];

/** What to do about a problem that {@link describeProblem} wrote, without addresses: health is not secret. */
export const adviceOn = (problem: string): string =>
  advice.find(([, text]) => problem.endsWith(`(${text})`))?.[1] ?? 'it cannot be reached or used: see the log';

/** The error that a cluster client has of one of its nodes. */
const innermost = (error: Error): Error =>
  'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;

/** An error of OpenSSL has its source file in its message. */
const messageOf = (error: Error): string =>
  'code' in error && String(error.code).startsWith('ERR_SSL_') && 'reason' in error
    ? String(error.reason)
    : error.message;

/** The reason as Redis or TLS give it, and what to do where the settings are wrong. Contains no secret. */
export function describeProblem(error: Error): string {
  const message = messageOf(innermost(error));
  const found = advice.find(([pattern]) => pattern.test(message));
  return found === undefined ? message : `${message.replace(/\.$/, '')} (${found[1]})`;
}
