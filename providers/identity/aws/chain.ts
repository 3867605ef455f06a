import type * as Library from '@aws-sdk/credential-providers';
import type { Clock } from '../../../core/api/index.ts';
import { given, type AwsSettings, type AwsSource } from './settings.ts';
import type { Identity } from './sign.ts';

/** Credentials, and when they end in Unix milliseconds. */
interface Dated {
  readonly identity: Identity;
  readonly endsAt: number;
}

const DEFAULT_SESSION = 'koine-gateway';
const METADATA = { timeout: 2_000, maxRetries: 2, ec2MetadataV1Disabled: true } as const;
const TOKEN_SERVICE = { requestTimeout: 10_000, throwOnRequestTimeout: true } as const;
/** Long-lived credentials are read again after this time, because files rotate. */
const REREAD_MS = 15 * 60_000;

/** Undefined members would hide the variables of the process. */
const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

type Source = Exclude<AwsSource, 'auto'>;

/** The sources read files and metadata anew each time they are made, so that rotated ones are used. */
const openSource = (library: typeof Library, source: Source, options: AwsSettings, region: string) => {
  const token = {
    roleSessionName: given(process.env['AWS_ROLE_SESSION_NAME']) ?? DEFAULT_SESSION,
    ...present({ roleArn: given(options.roleArn), webIdentityTokenFile: given(options.webIdentityTokenFile) }),
    // The renewal repeats a failed load.
    clientConfig: {
      region,
      maxAttempts: 1,
      requestHandler: TOKEN_SERVICE,
      ...present({ endpoint: given(options.stsUrl) }),
    },
  };
  const profile = {
    ignoreCache: true,
    clientConfig: token.clientConfig,
    parentClientConfig: { region },
    ...present({ profile: given(options.profile) }),
  };
  switch (source) {
    case 'environment':
      return library.fromEnv();
    case 'web-identity':
      return library.fromTokenFile(token);
    case 'profile':
      return library.fromIni(profile);
    case 'container':
      return library.fromHttp(METADATA);
    case 'instance':
      return library.fromInstanceMetadata(METADATA);
  }
};

/** The source that the settings or else the environment name; undefined: neither names one. */
const namedSource = ({ credentials = 'auto', roleArn, profile }: AwsSettings): Source | undefined => {
  const isSet = (name: string): boolean => given(process.env[name]) !== undefined;
  if (credentials !== 'auto') return credentials;
  if (given(roleArn) !== undefined) return 'web-identity';
  if (given(profile) !== undefined) return 'profile';
  if (isSet('AWS_ACCESS_KEY_ID') && isSet('AWS_SECRET_ACCESS_KEY')) return 'environment';
  if (isSet('AWS_WEB_IDENTITY_TOKEN_FILE')) return 'web-identity';
  if (isSet('AWS_PROFILE')) return 'profile';
  return isSet('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI') || isSet('AWS_CONTAINER_CREDENTIALS_FULL_URI')
    ? 'container'
    : undefined;
};

const findIdentity = async (options: AwsSettings, region: string) => {
  const library = await import('@aws-sdk/credential-providers');
  const named = namedSource(options);
  if (named !== undefined) return openSource(library, named, options, region)();
  const byDefault = await openSource(library, 'profile', options, region)().catch(() => undefined);
  if (byDefault !== undefined) return byDefault;
  if (process.env['AWS_EC2_METADATA_DISABLED'] !== 'true') return openSource(library, 'instance', options, region)();
  throw new Error(
    'neither the environment nor the files of AWS have any. ' +
      'Set accessKeyId and secretAccessKey, or the variables, files or roles of a source (credentials)',
  );
};

/**
 * Reads AWS credentials: those of the settings, otherwise from the configured source, otherwise from the first that is
 * present. https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function createChain(options: AwsSettings, region: string, clock: Pick<Clock, 'now'>): () => Promise<Dated> {
  const accessKeyId = given(options.accessKeyId);
  const secretAccessKey = given(options.secretAccessKey);
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const identity = { accessKeyId, secretAccessKey, ...present({ sessionToken: given(options.sessionToken) }) };
    return () => Promise.resolve({ identity, endsAt: Number.POSITIVE_INFINITY });
  }
  return async () => {
    const found = await findIdentity(options, region);
    const identity = {
      accessKeyId: found.accessKeyId,
      secretAccessKey: found.secretAccessKey,
      ...present({ sessionToken: found.sessionToken }),
    };
    return { identity, endsAt: found.expiration?.getTime() ?? clock.now() + REREAD_MS };
  };
}
