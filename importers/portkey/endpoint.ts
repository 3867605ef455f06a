import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import { variableName } from '../shared/names.ts';
import type { Note } from '../shared/notes.ts';
import type { Endpoint } from '../shared/providers.ts';
import { textOf } from '../shared/read.ts';
import { vendors } from '../shared/vendors.ts';
import { guessVendor, sharedName } from './vendors.ts';

/** Splits `@openai-prod/gpt-4o` into slug and model. */
export function splitModel(written: string | undefined): { readonly slug?: string; readonly model?: string } {
  if (written === undefined) return {};
  const [, slug, model] = /^@([^/]+)\/(.+)$/.exec(written) ?? [];
  return slug === undefined || model === undefined ? { model: written } : { slug, model };
}

/** The model that a target sets: among its parameters, or else with the slug of its provider. */
export const modelOf = (target: JsonObject): string | undefined => {
  const { slug, model } = splitModel(textOf(target['provider']));
  return textOf(readObject(target['override_params'])['model']) ?? (slug === undefined ? undefined : model);
};

/** Settings of the clouds, by their names here. */
const clouds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bedrock: {
    region: 'aws_region',
    accessKeyId: 'aws_access_key_id',
    secretAccessKey: 'aws_secret_access_key',
    sessionToken: 'aws_session_token',
  },
  vertex: { project: 'vertex_project_id', location: 'vertex_region', credentials: 'vertex_service_account_json' },
};

/** The settings of Portkey that become settings of a provider. */
export const cloudSettings: readonly string[] = Object.values(clouds).flatMap((names) => Object.values(names));

const readCloud = (vendor: string, target: JsonObject, at: ConfigPath): Endpoint['settings'] =>
  Object.fromEntries(
    Object.entries(clouds[vendors[vendor]?.use ?? ''] ?? {}).map(([ours, name]) => {
      const value = target[name];
      // A service account is the content of its file.
      return [ours, { value: isObject(value) ? JSON.stringify(value) : value, at: [...at, name] }];
    }),
  );

interface Identity {
  readonly vendor?: string;
  /** The name under which Portkey stores the credentials. */
  readonly slug?: string;
}

/** Determines the vendor of a target. @param written the model, which can name a slug */
function identify(target: JsonObject, written: string | undefined): Identity {
  const provider = textOf(target['provider']);
  const { slug: ofModel, model } = splitModel(written);
  const ofProvider = provider?.startsWith('@') === true ? (splitModel(provider).slug ?? provider.slice(1)) : undefined;
  const slug = ofProvider ?? ofModel;
  if (slug === undefined && provider !== undefined)
    return omitUndefined({ vendor: sharedName(provider), slug: textOf(target['virtual_key']) });
  const stored = slug ?? textOf(target['virtual_key']);
  return stored === undefined ? {} : omitUndefined({ vendor: guessVendor(stored, model), slug: stored });
}

const noteOrigin = (
  { vendor, slug }: Identity,
  target: JsonObject,
  at: ConfigPath,
  key: string | undefined,
  isSelfHosted: boolean,
  note: Note,
): void => {
  if (textOf(target['api_key']) !== undefined || key === undefined) return;
  const isGuess = textOf(target['provider'])?.startsWith('@') !== false;
  if (slug !== undefined)
    note(
      at,
      `The credentials of "${slug}" are stored at Portkey. Set ${key} to its key.` +
        (isGuess
          ? ` By its name or its model it is taken as ${String(vendor)}: ` +
            'correct use and baseUrl if it is another vendor.'
          : ''),
    );
  else
    note(
      at,
      'Portkey takes the key from the header of each request. ' +
        (isSelfHosted
          ? 'Here no key is sent to this server: set apiKey if it needs one.'
          : `Here it is read from ${key}: set it.`),
    );
};

/**
 * The API of a target.
 * @param inherited the address that an outer target sets
 * @returns the reason where the vendor is not known
 */
export function readEndpoint(
  target: JsonObject,
  written: string | undefined,
  at: ConfigPath,
  inherited: { readonly value: unknown; readonly at: ConfigPath } | undefined,
  note: Note,
): Endpoint | { readonly reason: string } {
  const identity = identify(target, written);
  const { vendor, slug } = identity;
  if (vendor === undefined)
    return {
      reason:
        slug === undefined
          ? 'It names no provider. Write one.'
          : `What "${slug}" stands for is stored at Portkey, and its name does not say which vendor it is. ` +
            'Add the provider and the target.',
    };
  const keyVariable = slug === undefined ? undefined : `${variableName(slug)}_API_KEY`;
  const isSelfHosted = vendor === 'openai' && inherited !== undefined;
  noteOrigin(identity, target, at, keyVariable ?? vendors[vendor]?.key, isSelfHosted, note);
  const resource = textOf(target['resource_name']);
  return omitUndefined({
    vendor,
    name: slug,
    apiKeys: [{ value: target['api_key'], at: [...at, 'api_key'] }],
    keyVariable,
    address:
      resource === undefined
        ? (inherited ?? { value: undefined, at: [...at, 'custom_host'] })
        : { value: `https://${resource}.openai.azure.com`, at: [...at, 'resource_name'] },
    addressVariable: slug === undefined ? undefined : `${variableName(slug)}_API_BASE`,
    organization: target['openai_organization'],
    project: target['openai_project'],
    settings: readCloud(vendor, target, at),
  });
}
