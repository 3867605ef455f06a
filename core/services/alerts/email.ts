import { isObject } from '../../canonical/json/members.ts';
import { redactKeys } from '../../canonical/text/redact.ts';
import type { EmailConfig } from './alerts-config.ts';
import type { AlertMessage, SendOnce } from './outbox.ts';

/** `limit: …`, one line for each member; those of objects are indented. */
const writeLines = (value: object, indent = ''): string =>
  Object.entries(value)
    .map(([name, member]) => {
      if (isObject(member)) return `${indent}${name}:\n${writeLines(member, `${indent}  `)}`;
      const items: readonly unknown[] | undefined = Array.isArray(member) ? member : undefined;
      const lines = items?.map((item) => `\n${indent}  - ${String(item)}`).join('');
      return `${indent}${name}:${lines ?? ` ${String(member)}`}`;
    })
    .join('\n');

const writeText = ({ text, body }: AlertMessage): string => `${text}\n\n${writeLines(JSON.parse(body) as object)}\n`;

const open = async ({ host, port, encryption, user, password, timeout }: EmailConfig) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

/** Sends alerts by e-mail. The library is loaded with the first one, and each has a connection of its own. */
export function createEmail(config: EmailConfig): SendOnce {
  let opened: ReturnType<typeof open> | undefined;
  return async (message) => {
    const { from, to } = config;
    try {
      opened ??= open(config);
      const transport = await opened;
      const [name, domain = name] = from.split('@');
      await transport.sendMail({
        from,
        to: [...to],
        subject: `[koine] ${message.text}`,
        text: writeText(message),
        messageId: `<${message.id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      });
      return undefined;
    } catch (error) {
      return redactKeys(error instanceof Error ? error.message : String(error));
    }
  };
}
