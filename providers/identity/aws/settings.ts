import type { JsonObject, OptionFinding } from '../../../core/api/index.ts';

/** Where the credentials come from. */
const sources = ['auto', 'environment', 'profile', 'web-identity', 'container', 'instance'] as const;
export type AwsSource = (typeof sources)[number];

/** The settings of an extension that signs requests with AWS credentials. */
export interface AwsSettings {
  readonly credentials?: AwsSource;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  readonly profile?: string;
  readonly roleArn?: string;
  readonly webIdentityTokenFile?: string;
  readonly stsUrl?: string;
}

/** The value of a setting or a variable; undefined for an empty one. */
export const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const text = (description: string): JsonObject => ({ type: 'string', description });

/** The JSON Schemas of {@link AwsSettings}. */
export const awsSchemas = {
  credentials: {
    enum: sources,
    description:
      'Where the AWS credentials come from. `auto`: the first that is present of environment, web identity, profile, ' +
      'container role, instance role.',
    default: 'auto',
  },
  accessKeyId: text('An access key, with `secretAccessKey`. It takes precedence over `credentials`. Left out: none.'),
  secretAccessKey: { ...text('The secret of the access key. Left out: none.'), writeOnly: true },
  sessionToken: { ...text('The session token of a temporary access key. Left out: none.'), writeOnly: true },
  profile: text('The profile in the AWS configuration files. Left out: AWS_PROFILE, otherwise `default`.'),
  roleArn: text('The role to assume by web identity. Left out: AWS_ROLE_ARN.'),
  webIdentityTokenFile: text('The file with the token of a web identity. Left out: AWS_WEB_IDENTITY_TOKEN_FILE.'),
  stsUrl: {
    type: 'string',
    pattern: '^https?://',
    description: 'The token service for roles. Left out: AWS_ENDPOINT_URL_STS, otherwise that of the region.',
  },
} satisfies Record<keyof AwsSettings, JsonObject>;

/** @returns that one half of an access key is missing */
export const checkAws = ({ accessKeyId = '', secretAccessKey = '' }: AwsSettings): readonly OptionFinding[] =>
  (accessKeyId === '') === (secretAccessKey === '')
    ? []
    : [
        {
          path: [accessKeyId === '' ? 'accessKeyId' : 'secretAccessKey'],
          message: 'accessKeyId and secretAccessKey are set together.',
        },
      ];
