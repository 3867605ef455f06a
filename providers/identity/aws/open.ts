import {
  type Credential,
  type Services,
  GatewayError,
  createRenewal,
  createRenewedCredential,
} from '../../../core/api/index.ts';
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
  const load = createChain(settings, service.region, services.clock);
  const renewal = createRenewal(
    async () => {
      const { identity, endsAt } = await load();
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
