import type { EndpointWire, OfferList } from '../contracts/provider.ts';
import type { UpstreamRequest } from '../contracts/extension.ts';

/** The parts of a list of models. */
export interface OfferListParts {
  /** Adds address and credentials, as for calls. @example address: addressOf('/v1/models') */
  readonly address: EndpointWire['buildRequest'];
  /**
   * The query of a page. Absent: the list has one page.
   * @param after `next` of the page before; undefined for the first page
   * @example query: (after) => ({ limit: '100', ...(after === undefined ? {} : { after }) })
   */
  readonly query?: (after: string | undefined) => Readonly<Record<string, string>>;
  /** @example read: (body) => ({ models: readNames(body).map((name) => ({ name })) }) */
  readonly read: OfferList['read'];
}

const NO_BODY = new Uint8Array();

const withQuery = (request: UpstreamRequest, query: Readonly<Record<string, string>>): UpstreamRequest => {
  const text = new URLSearchParams(query).toString();
  const path = text === '' ? request.path : `${request.path}${request.path.includes('?') ? '&' : '?'}${text}`;
  return { ...request, method: 'GET', path };
};

/** A list of models that is read by GET, with the address and the credentials of calls. */
export const createOfferList = ({ address, query = () => ({}), read }: OfferListParts): OfferList => ({
  buildRequest: async ({ credential, after, signal }) =>
    withQuery(
      await address({ model: '', stream: false, body: NO_BODY, headers: {}, credential, signal }),
      query(after),
    ),
  read,
});
