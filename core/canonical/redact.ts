/** Text that looks like a credential or an account, e.g. in "Incorrect API key provided: sk-ab***". */
const SECRETS = /\bsk[-_][\w*-]{4,}|\b(?:pk|rk|gsk|xai|org|proj)[-_][\w*-]{8,}|\bAIza[\w-]{10,}|\bBearer\s+\S+/gi;

/** Vendors repeat parts of keys in their messages; none may reach a client, a log or a fixture. */
export const redactSecrets = (text: string): string => text.replaceAll(SECRETS, '[redacted]');

/** The same for a parsed body; one without secrets comes back as it is. */
export const redactBody = (body: unknown): unknown => {
  if (typeof body === 'string') return redactSecrets(body);
  const text = JSON.stringify(body) ?? '';
  const redacted = redactSecrets(text);
  return redacted === text ? body : (JSON.parse(redacted) as unknown);
};
