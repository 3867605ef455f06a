import type { Clock } from '../../contracts/services.ts';
import type { AwsSettings } from './settings.ts';
import { given, REREAD_MS, type Dated, type Environment } from './source.ts';
import { assumeRole } from './web-identity.ts';

/** What the gateway does not carry out, by the member of the profile that requests it. */
const unsupported: Readonly<Record<string, string>> = {
  role_arn: 'a role by another profile',
  sso_session: 'single sign-on',
  sso_account_id: 'single sign-on',
  credential_process: 'a command',
};

/** What a profile needs besides the files. */
export interface ProfileSettings {
  readonly options: AwsSettings;
  readonly env: Environment;
  readonly clock: Pick<Clock, 'now'>;
  readonly stsUrl: string;
  readonly sessionName: string;
}

/**
 * A profile of the AWS files (`~/.aws/credentials` and `~/.aws/config`): an access key, or a web identity.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 * @returns undefined if no profile is named and there is no `default`
 */
export async function readProfile(settings: ProfileSettings, signal: AbortSignal): Promise<Dated | undefined> {
  const { options, env, clock, stsUrl, sessionName } = settings;
  const { parseKnownFiles } = await import('@smithy/shared-ini-file-loader');
  const named = given(options.profile) ?? given(env['AWS_PROFILE']);
  const profile = (await parseKnownFiles({ ignoreCache: true }))[named ?? 'default'];
  if (profile === undefined) {
    if (named === undefined) return undefined;
    throw new Error(`the AWS files have no profile '${named}'`);
  }
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey, role_arn: roleArn } = profile;
  const { web_identity_token_file: tokenFile, aws_session_token: sessionToken } = profile;
  if (roleArn !== undefined && tokenFile !== undefined)
    return assumeRole({ roleArn, tokenFile, sessionName: profile['role_session_name'] ?? sessionName, stsUrl }, signal);
  if (accessKeyId === undefined || secretAccessKey === undefined || roleArn !== undefined) {
    const member = Object.keys(unsupported).find((name) => profile[name] !== undefined);
    if (member === undefined && named === undefined) return undefined;
    const what = member === undefined ? 'no access key' : `${String(unsupported[member])} (${member})`;
    throw new Error(
      `the AWS profile '${named ?? 'default'}' has ${what}; ` +
        'the gateway reads access keys and web identities from profiles',
    );
  }
  return {
    identity: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    endsAt: clock.now() + REREAD_MS,
  };
}
