import { readFile } from 'node:fs/promises';
import type { Dated } from './source.ts';

/** How a role is assumed with the token of another identity service. */
export interface WebIdentity {
  readonly roleArn: string;
  readonly tokenFile: string;
  readonly sessionName: string;
  readonly stsUrl: string;
}

const VERSION = '2011-06-15';
const TIMEOUT_MS = 10_000;

/** The text of an element. Credentials and codes have no escaped characters. */
const readElement = (xml: string, name: string): string =>
  new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(xml)?.[1] ?? '';

const readCredentials = (xml: string): Dated => {
  const accessKeyId = readElement(xml, 'AccessKeyId');
  const secretAccessKey = readElement(xml, 'SecretAccessKey');
  const endsAt = Date.parse(readElement(xml, 'Expiration'));
  if (accessKeyId === '' || secretAccessKey === '' || Number.isNaN(endsAt))
    throw new Error('the token service answered without credentials');
  return { identity: { accessKeyId, secretAccessKey, sessionToken: readElement(xml, 'SessionToken') }, endsAt };
};

/**
 * AssumeRoleWithWebIdentity: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 * The file is read each time, because it rotates.
 */
export async function assumeRole(identity: WebIdentity, signal: AbortSignal): Promise<Dated> {
  const token = await readFile(identity.tokenFile, 'utf8').catch((cause: unknown) => {
    throw new Error(`the file of the web identity token (${identity.tokenFile}) cannot be read`, { cause });
  });
  const { default: got } = await import('got');
  const { statusCode, body } = await got.post(identity.stsUrl, {
    form: {
      Action: 'AssumeRoleWithWebIdentity',
      Version: VERSION,
      RoleArn: identity.roleArn,
      RoleSessionName: identity.sessionName,
      WebIdentityToken: token.trim(),
    },
    followRedirect: false,
    throwHttpErrors: false,
    // The renewal repeats a failed load.
    retry: { limit: 0 },
    timeout: { request: TIMEOUT_MS },
    signal,
  });
  if (statusCode === 200) return readCredentials(body);
  const code = readElement(body, 'Code');
  throw new Error(
    `the token service refused to assume ${identity.roleArn} (${statusCode}${code === '' ? '' : ` ${code}`})`,
  );
}
