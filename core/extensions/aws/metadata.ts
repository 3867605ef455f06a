import { readFile } from 'node:fs/promises';
import { readObject, readText } from '../../canonical/json/read.ts';
import type { Clock } from '../../contracts/services.ts';
import { given, REREAD_MS, type Dated, type Environment } from './source.ts';

const TIMEOUT_MS = 2_000;
const RETRIES = 2;

/** Where ECS has its endpoint: https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
const ECS_ORIGIN = 'http://169.254.170.2';
/** Other addresses than these of ECS, EKS and the host itself are refused without TLS. */
const plainHosts: ReadonlySet<string> = new Set([
  'localhost',
  '127.0.0.1',
  '[::1]',
  '169.254.170.2',
  '169.254.170.23',
  '[fd00:ec2::23]',
]);

const containerUrl = (env: Environment): string | undefined => {
  const relative = given(env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']);
  return relative === undefined ? given(env['AWS_CONTAINER_CREDENTIALS_FULL_URI']) : ECS_ORIGIN + relative;
};

const readToken = async (env: Environment): Promise<string | undefined> => {
  const file = given(env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']);
  if (file === undefined) return given(env['AWS_CONTAINER_AUTHORIZATION_TOKEN']);
  return (await readFile(file, 'utf8')).trim();
};

const readCredentials = (answer: unknown): Dated => {
  const members = readObject(answer);
  const accessKeyId = readText(members['AccessKeyId']);
  const secretAccessKey = readText(members['SecretAccessKey']);
  const endsAt = Date.parse(readText(members['Expiration']));
  if (accessKeyId === '' || secretAccessKey === '' || Number.isNaN(endsAt))
    throw new Error('the endpoint of the container role answered without credentials');
  return { identity: { accessKeyId, secretAccessKey, sessionToken: readText(members['Token']) }, endsAt };
};

/**
 * The role of a container, on ECS and by EKS Pod Identity. The library for instance roles refuses the address and the
 * token file of EKS.
 * @returns undefined outside of such a container
 */
export async function readContainerRole(env: Environment, signal: AbortSignal): Promise<Dated | undefined> {
  const url = containerUrl(env);
  if (url === undefined) return undefined;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !plainHosts.has(hostname))
    throw new Error('AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https address nor one of the container host');
  const token = await readToken(env);
  const { default: got } = await import('got');
  const answer: unknown = await got(url, {
    headers: token === undefined ? {} : { authorization: token },
    followRedirect: false,
    retry: { limit: RETRIES },
    timeout: { request: TIMEOUT_MS },
    signal,
  }).json();
  return readCredentials(answer);
}

/**
 * The role of an instance (EC2), by version 2 of its metadata service.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
 */
export async function readInstanceRole(env: Environment, clock: Pick<Clock, 'now'>): Promise<Dated | undefined> {
  if (env['AWS_EC2_METADATA_DISABLED'] === 'true') return undefined;
  const { fromInstanceMetadata } = await import('@smithy/credential-provider-imds');
  const { expiration, ...identity } = await fromInstanceMetadata({
    timeout: TIMEOUT_MS,
    maxRetries: RETRIES,
    ec2MetadataV1Disabled: true,
  })();
  return { identity, endsAt: expiration?.getTime() ?? clock.now() + REREAD_MS };
}
