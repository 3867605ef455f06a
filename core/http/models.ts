import type { Context, Middleware } from 'koa';
import { excerpt } from '../canonical/text/redact.ts';
import { allowsModel } from '../catalog/model-pattern.ts';
import type { Catalog, Model } from '../catalog/catalog.ts';
import type { ModelEntry, ModelList } from '../contracts/codec-context.ts';
import type { AnyCodec } from '../contracts/codec.ts';
import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { DirectClient, DirectParts } from './direct/direct-request.ts';
import { admitDirect } from './direct/admit-direct.ts';

/** The models list of one wire, and its errors. */
export interface ModelListing extends DirectClient {
  readonly models: ModelList;
}

/**
 * Selects the shape of the models list: the wire that recognises the request, else the wire without `recognises`, which
 * is the default.
 */
export function selectModelListing(codecs: readonly AnyCodec[]): (head: RequestHead) => ModelListing | undefined {
  const listings = codecs.flatMap(({ client }) =>
    client?.models === undefined ? [] : [{ ...client, models: client.models }],
  );
  const fallback = listings.find(({ models }) => models.recognises === undefined);
  return (head) => listings.find(({ models }) => models.recognises?.(head) === true) ?? fallback;
}

/** The model under the name that a client uses: its id or an alias. */
const entryOf = (name: string, { entry }: Model): ModelEntry => (name === entry.id ? entry : { ...entry, id: name });

/** The models that the caller may use, then their aliases: agents find the names there that they have built in. */
const listModels = ({ models, aliases, find }: Catalog, caller: Caller): readonly ModelEntry[] =>
  [...models.map(({ id }) => id), ...Object.keys(aliases)].flatMap((name) => {
    const model = find(name);
    return model !== undefined && allowsModel(caller.models, model.id) ? [entryOf(name, model)] : [];
  });

export interface ModelsParts extends DirectParts {
  readonly catalog: Catalog;
  readonly select: (head: RequestHead) => ModelListing | undefined;
  readonly head: (context: Context) => RequestHead;
}

const describeModels = (
  catalog: Catalog,
  caller: Caller,
  head: RequestHead,
  { models }: ModelListing,
  name: string | undefined,
): unknown => {
  if (name === undefined) return models.list(listModels(catalog, caller), head.query);
  const model = catalog.find(name);
  if (model !== undefined && allowsModel(caller.models, model.id))
    return models.one(entryOf(Object.hasOwn(catalog.aliases, name) ? name : model.id, model));
  throw new GatewayError(
    'model_not_found',
    `The model '${excerpt(name, 128)}' does not exist or this key may not use it.`,
    { param: 'model' },
  );
};

/**
 * `GET /v1/models`, and one model by its id or alias: only models that the caller may use. Errors have the shape of the
 * wire.
 */
export const createModelsHandler =
  (parts: ModelsParts): Middleware =>
  async (context) => {
    const head = parts.head(context);
    const listing = parts.select(head);
    if (listing === undefined) throw new GatewayError('not_found', 'No wire of this gateway has a models list.');
    const caller = await admitDirect(parts, context, head, listing);
    const { model: name } = context.params as { readonly model?: string };
    context.body = describeModels(parts.catalog, caller, head, listing, name);
  };
