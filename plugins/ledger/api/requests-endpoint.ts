import { GatewayError, type AdminRouter } from '../../../core/api/index.ts';
import type { QueryLedger } from '../read/queries.ts';
import { describeRequest, describeRow } from './describe-request.ts';
import { requestCall, requestsCall } from './requests-description.ts';
import { readRequestsRequest, writeCursor } from './requests-request.ts';

/** Adds the calls that find requests: docs/operate/requests.md. @param traceLink the address of a trace */
export function addRequests(router: AdminRouter, queryLedger: QueryLedger, traceLink: string | undefined): void {
  router.get(
    '/admin/requests',
    async ({ query }) => {
      const { rows, next } = await queryLedger('requests', readRequestsRequest(query));
      return {
        body: {
          requests: rows.map(describeRow),
          next: next === undefined ? null : writeCursor(next),
          searchedTo: next === undefined ? null : new Date(next.at).toISOString(),
        },
      };
    },
    requestsCall,
  );
  router.get(
    '/admin/requests/{id}',
    async ({ params: { id = '' } }) => {
      const row = await queryLedger('request', { id });
      if (row === undefined)
        throw new GatewayError(
          'not_found',
          'The ledger has no request with this id. Ids are those of the header x-request-id; rows are written within ' +
            'half a second, and kept for the time of `retention`.',
        );
      return { body: describeRequest(row, traceLink) };
    },
    requestCall,
  );
}
