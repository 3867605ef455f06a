import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { signWebhook } from '../../../core/services/alerts/webhook.ts';
import type { Certificate } from '../certificates.ts';

/** What a receiver of webhooks got, with a signature that is right. */
export interface ReceivedEvent {
  readonly id: string;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly events: ReceivedEvent[];
  /** The status of each response, in order; 0 means none. The last one repeats. */
  answers: number[];
  stop(): Promise<void>;
}

/** Receives webhooks, and keeps those with the signature of the secret. */
export async function startWebhookReceiver(secret: string): Promise<WebhookReceiver> {
  const receiver = { url: '', events: [] as ReceivedEvent[], answers: [204] };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
      if (signWebhook(secret, String(id), Number(at) * 1_000, body)['webhook-signature'] === signature)
        receiver.events.push({ id: String(id), body });
      const status = (receiver.answers.length > 1 ? receiver.answers.shift() : receiver.answers[0]) ?? 204;
      if (status > 0) response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return Object.assign(receiver, {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** An e-mail as it came over the network. */
export interface ReceivedMail {
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
  stop(): Promise<void>;
}

/** An SMTP server that accepts e-mail from one user. @param certificate offers STARTTLS with it */
export async function startMailReceiver(
  login: { readonly user: string; readonly password: string },
  certificate?: Certificate,
): Promise<MailReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    allowInsecureAuth: certificate === undefined,
    onAuth: ({ username, password }, _session, done) =>
      username === login.user && password === login.password
        ? done(null, { user: username })
        : done(new Error(`wrong password ${password}`)),
    onData: (stream, { user, secure, envelope: { mailFrom, rcptTo } }, done) => {
      let text = '';
      stream.on('data', (chunk) => (text += String(chunk)));
      stream.on('end', () => {
        mails.push({
          user: typeof user === 'string' ? user : undefined,
          isEncrypted: secure,
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
