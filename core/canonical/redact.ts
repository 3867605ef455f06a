/** Text that looks like a credential or an account, e.g. in "Incorrect API key provided: sk-ab***". */
const SECRETS = /\b(?:sk|pk|rk|key|gsk|xai|org|proj)[-_][\w*-]{4,}|\bAIza[\w-]{10,}|\bBearer\s+\S+/gi;

/** Vendors repeat parts of keys in their messages; none may reach a client, a log or a fixture. */
export const redactSecrets = (text: string): string => text.replaceAll(SECRETS, '[redacted]');
