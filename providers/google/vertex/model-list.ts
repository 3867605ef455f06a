import type { OfferList, OfferPage } from '../../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { hostOf } from './address.ts';
import type { Logins } from './logins.ts';
import { DEFAULT_LOCATION, type VertexOptions } from './schema.ts';

/** Whose models the provider calls, in the order in which they are listed. */
const publishers = ['google', 'anthropic'] as const;
type Publisher = (typeof publishers)[number];

/** What selects a page: a publisher, and the token of its next page. */
const writeNext = (publisher: Publisher, token: string): string => `${publisher}/${token}`;
const readNext = (after = ''): { readonly publisher: Publisher; readonly token: string } => {
  const [first, ...token] = after.split('/');
  return { publisher: publishers.find((name) => name === first) ?? 'google', token: token.join('/') };
};

/** The page after one of a publisher: of the same, otherwise the first one of the other publisher. */
const nextOf = (publisher: Publisher, token: string): string | undefined => {
  if (token !== '') return writeNext(publisher, token);
  return publisher === 'google' ? writeNext('anthropic', '') : undefined;
};

const NAME = /^publishers\/(google|anthropic)\/models\/(.+)$/;

/** https://docs.cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list */
function readModelPage(body: unknown): OfferPage {
  const { publisherModels, nextPageToken } = readObject(body);
  const names = readObjects(publisherModels).map(({ name }) => NAME.exec(readText(name)) ?? []);
  const publisher = publishers.find((each) => each === names[0]?.[1]) ?? 'anthropic';
  return omitUndefined({
    models: names.map(([, , name = '']) => ({ name })),
    next: nextOf(publisher, readText(nextPageToken)),
  });
}

/** The lists of the publishers, one after the other. They belong to no project, and cost the project nothing. */
export function createModelList(
  { project = '', location = DEFAULT_LOCATION, baseUrl = '' }: VertexOptions,
  logins: Pick<Logins, 'login'>,
): OfferList {
  const { origin, pathname } = new URL(baseUrl === '' ? `https://${hostOf(location)}` : baseUrl);
  const base = `${pathname.replace(/\/+$/, '')}/v1beta1/publishers`;
  return {
    buildRequest: ({ credential, after }) => {
      const { publisher, token } = readNext(after);
      const query = new URLSearchParams({ pageSize: '100', ...(token === '' ? {} : { pageToken: token }) });
      const login = logins.login(credential);
      const payer = project === '' ? login?.project : project;
      return {
        method: 'GET',
        origin,
        path: `${base}/${publisher}/models?${query.toString()}`,
        headers: { ...login?.headers, ...(payer === undefined ? {} : { 'x-goog-user-project': payer }) },
        body: new Uint8Array(),
      };
    },
    read: readModelPage,
  };
}
