import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Endpoint } from '../shared/providers.ts';
import { textOf } from '../shared/read.ts';
import { settingsOf } from '../shared/vendors.ts';

export type Credentials = ReadonlyMap<string, JsonObject>;

/** Reads `credential_list`, to which deployments refer by `litellm_credential_name`. */
export const readCredentials = (source: JsonObject): Credentials =>
  new Map(
    readList(source['credential_list']).flatMap((entry) =>
      isObject(entry)
        ? [[textOf(entry['credential_name']) ?? '', readObject(entry['credential_values'])] as const]
        : [],
    ),
  );

/** The API of a deployment. */
export function readEndpoint(vendor: string, written: JsonObject, at: ConfigPath, credentials: Credentials): Endpoint {
  const params = { ...credentials.get(textOf(written['litellm_credential_name']) ?? ''), ...written };
  return {
    vendor,
    apiKeys: [{ value: params['api_key'], at: [...at, 'api_key'] }],
    address: { value: params['api_base'] ?? params['base_url'], at: [...at, 'api_base'] },
    headers: { value: readObject(params['extra_headers']), at: [...at, 'extra_headers'] },
    organization: params['organization'],
    settings: Object.fromEntries(
      Object.entries(settingsOf(vendor)).map(([name, ours]) => [ours, { value: params[name], at: [...at, name] }]),
    ),
  };
}
