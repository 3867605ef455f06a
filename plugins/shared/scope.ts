import { allowsModel, type Caller } from '../../core/api/index.ts';

/** Which requests are concerned. A list that is empty selects all. `*` stands for any characters. */
export interface Scope {
  /** `organization/project/key`. */
  readonly keys: readonly string[];
  /** Paths of routes. */
  readonly routes: readonly string[];
  /** Catalog ids. */
  readonly models: readonly string[];
}

/** What a scope is compared with. */
export interface ScopedRequest {
  readonly caller: Caller;
  readonly route: { readonly path: string };
  /** Absent: there is no such model, and the request will be refused for that. */
  readonly model?: string | undefined;
}

export const isInScope = ({ keys, routes, models }: Scope, { caller, route, model }: ScopedRequest): boolean =>
  (keys.length === 0 || allowsModel(keys, `${caller.organization}/${caller.project}/${caller.key}`)) &&
  (routes.length === 0 || allowsModel(routes, route.path)) &&
  (models.length === 0 || (model !== undefined && allowsModel(models, model)));
