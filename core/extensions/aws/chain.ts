import type { Clock } from '../../contracts/services.ts';
import { readContainerRole, readInstanceRole } from './metadata.ts';
import { readProfile } from './profile.ts';
import type { AwsSettings, AwsSource } from './settings.ts';
import { given, type Dated, type Environment, type ReadSource } from './source.ts';
import { assumeRole } from './web-identity.ts';

const DEFAULT_SESSION = 'koine-gateway';

/** The token service of a region: https://docs.aws.amazon.com/general/latest/gr/sts.html */
const stsOf = (region: string): string =>
  `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`;

const readEnvironment = (env: Environment): Dated | undefined => {
  const accessKeyId = given(env['AWS_ACCESS_KEY_ID']);
  const secretAccessKey = given(env['AWS_SECRET_ACCESS_KEY']);
  const sessionToken = given(env['AWS_SESSION_TOKEN']);
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    identity: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    endsAt: Number.POSITIVE_INFINITY,
  };
};

const readSettings = ({ accessKeyId, secretAccessKey, sessionToken }: AwsSettings): Dated | undefined =>
  given(accessKeyId) === undefined || given(secretAccessKey) === undefined
    ? undefined
    : readEnvironment({
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_SESSION_TOKEN: sessionToken,
      });

/** In the order of AWS's own SDKs. */
const order: readonly Exclude<AwsSource, 'auto'>[] = [
  'environment',
  'web-identity',
  'profile',
  'container',
  'instance',
];

/**
 * Reads AWS credentials: those of the settings, otherwise from the configured source, otherwise from the first that is
 * present. https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function createChain(
  options: AwsSettings,
  region: string,
  env: Environment,
  clock: Pick<Clock, 'now'>,
): (signal: AbortSignal) => Promise<Dated> {
  const { credentials: source = 'auto', stsUrl = stsOf(region) } = options;
  const sessionName = given(env['AWS_ROLE_SESSION_NAME']) ?? DEFAULT_SESSION;
  const roleArn = given(options.roleArn) ?? given(env['AWS_ROLE_ARN']);
  const tokenFile = given(options.webIdentityTokenFile) ?? given(env['AWS_WEB_IDENTITY_TOKEN_FILE']);
  const readers: Readonly<Record<Exclude<AwsSource, 'auto'>, ReadSource>> = {
    'environment': () => Promise.resolve(readEnvironment(env)),
    'web-identity': (signal) =>
      roleArn === undefined || tokenFile === undefined
        ? Promise.resolve(undefined)
        : assumeRole({ roleArn, tokenFile, sessionName, stsUrl }, signal),
    'profile': (signal) => readProfile({ options, env, clock, stsUrl, sessionName }, signal),
    'container': (signal) => readContainerRole(env, signal),
    'instance': () => readInstanceRole(env, clock),
  };
  const names = source === 'auto' ? order : [source];
  return async (signal) => {
    const own = readSettings(options);
    if (own !== undefined) return own;
    for (const name of names) {
      const found = await readers[name](signal);
      if (found !== undefined) return found;
    }
    throw new Error(
      `there are none in: ${names.join(', ')}. ` +
        'Set accessKeyId and secretAccessKey, or the variables, files or roles of one of these sources (credentials)',
    );
  };
}
