import type { Context, Middleware } from 'koa';
import { allowsModel } from '../catalog/model-pattern.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AnyCodec, ModelEntry, ModelList } from '../contracts/codec.ts';
import type { Caller } from '../contracts/caller.ts';
import type { RequestHead } from '../contracts/exchange.ts';
import { GatewayError } from '../errors.ts';
import type { Identify } from '../exchange/identify.ts';

/** The shapes of the models list: the wire that recognises a request, else the one that recognises nothing and so is the default. */
export const selectModelList = (codecs: readonly AnyCodec[]): ((head: RequestHead) => ModelList | undefined) => {
  const lists = codecs.flatMap(({ client }) => (client?.models === undefined ? [] : [client.models]));
  const fallback = lists.find(({ recognises }) => recognises === undefined);
  return (head) => lists.find((list) => list.recognises?.(head) === true) ?? fallback;
};

const modelsOf = (catalog: Catalog, caller: Caller): readonly ModelEntry[] =>
  catalog.models.filter(({ id }) => allowsModel(caller.models, id)).map(({ entry }) => entry);

export interface ModelsParts {
  readonly catalog: Catalog;
  readonly identify: Identify;
  readonly select: (head: RequestHead) => ModelList | undefined;
  readonly head: (context: Context) => RequestHead;
}

/** `GET /v1/models` and one model by its id: only what the caller may use, in the shape of the client that asks. */
export const createModelsHandler =
  ({ catalog, identify, select, head: createHead }: ModelsParts): Middleware =>
  async (context) => {
    const head = createHead(context);
    context.set('x-request-id', head.id);
    context.set('request-id', head.id);
    const caller = await identify(head);
    const list = select(head);
    if (list === undefined) throw new GatewayError('not_found', 'No wire of this gateway has a models list.');
    const { model: name } = context.params as { readonly model?: string };
    if (name === undefined) {
      context.body = list.list(modelsOf(catalog, caller), head.query);
      return;
    }
    const model = catalog.find(name);
    if (model === undefined || !allowsModel(caller.models, model.id)) throw new GatewayError('model_not_found', `The model '${name.slice(0, 128)}' does not exist or this key may not use it.`, { param: 'model' });
    context.body = list.one(model.entry);
  };
