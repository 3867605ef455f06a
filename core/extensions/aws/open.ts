import type { Credential } from '../../contracts/extension.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createRenewal } from '../renewal.ts';
import { createRenewedCredential } from '../renewed-credential.ts';
import { createChain } from './chain.ts';
import type { AwsSettings } from './settings.ts';
import { createSigner, type AwsService, type Identity, type Sign } from './sign.ts';

/** AWS credentials with which the requests to one service are signed. */
export interface AwsIdentity {
  readonly credential: Credential;
  /** @throws GatewayError unless `credential.ready` has loaded credentials */
  readonly sign: Sign;
  close(): void;
}

const ID = 'aws';

/** Opens the AWS credentials of an extension. They are renewed before they end, until `close`. */
export async function openAws(
  settings: AwsSettings,
  service: AwsService,
  services: Pick<Services, 'clock' | 'log'>,
): Promise<AwsIdentity> {
  const load = createChain(settings, service.region, process.env, services.clock);
  const renewal = createRenewal(
    async (signal) => {
      const { identity, endsAt } = await load(signal);
      const { secretAccessKey, sessionToken = '' } = identity;
      return { value: identity, endsAt, secrets: [secretAccessKey, sessionToken] };
    },
    services,
    'The AWS credentials',
  );
  const read = (): Identity => {
    const { current } = renewal;
    if (current === undefined) throw new GatewayError('upstream_credential', 'No AWS credentials have been loaded.');
    return current;
  };
  return {
    credential: createRenewedCredential(ID, renewal, (identity) => JSON.stringify(identity)),
    sign: await createSigner(service, read, services.clock),
    close: () => renewal.close(),
  };
}
