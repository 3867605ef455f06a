import { expect } from 'chai';
import { createTestHead, createTestOutcome } from '../../../../core/testing/index.ts';
import { GatewayError, type EndedRequest } from '../../../../core/api/index.ts';
import { at } from '../../../../plugins/ledger/row.ts';
import { RefusalFilter, refusedRow } from '../../../../plugins/ledger/refused-row.ts';
import { exchangeOf, NOW } from '../setup.ts';

const { caller } = exchangeOf();
const error = new GatewayError('invalid_api_key');
const outcome = createTestOutcome({ result: 'auth', status: 401, error });
const unknown: EndedRequest = { head: createTestHead(), outcome };
const known: EndedRequest = { ...unknown, caller };
const acceptedOf = (filter: RefusalFilter, ended: EndedRequest, now: number): number =>
  Array.from({ length: 1_000 }, () => filter.accepts(ended, now)).filter(Boolean).length;

describe('rows of refused requests', () => {
  it("are a minute's worth at once, then as many a second as configured", () => {
    const filter = new RefusalFilter(2);
    expect(acceptedOf(filter, known, 1_000)).to.equal(120);
    expect(acceptedOf(filter, known, 1_000)).to.equal(0);
    expect(acceptedOf(filter, known, 4_000)).to.equal(6);
    expect(acceptedOf(filter, known, 10_000_000)).to.equal(120);
  });

  it('of unknown callers leave room for those of known ones', () => {
    const filter = new RefusalFilter(1);
    expect(acceptedOf(filter, unknown, 5)).to.equal(60);
    expect(acceptedOf(filter, known, 5)).to.equal(60);
  });

  it('are not written if none are configured, or if the request was not for a model', () => {
    expect(acceptedOf(new RefusalFilter(0), known, 5)).to.equal(0);
    const head = createTestHead();
    const list: EndedRequest = { ...known, head: { ...head, route: { ...head.route, operation: 'models' } } };
    expect(acceptedOf(new RefusalFilter(5), list, 5)).to.equal(0);
  });

  it('hold the error without control characters and secrets, and no name that a client has made up', () => {
    const message = `Unknown \u0000 model sk-proj-Nq7rT2mXw5kV9bLc ${'x'.repeat(1_000)}`;
    const row = refusedRow(
      { ...known, outcome: { ...outcome, error: new GatewayError('model_not_found', message) } },
      NOW,
    );
    expect(row[at.message])
      .to.match(/^Unknown . model \[redacted\] x+$/)
      .and.have.lengthOf(500);
    expect(row[at.tags]).to.equal(null);
    expect([row[at.model], row[at.code], row[at.cost], row[at.state]]).to.deep.equal([
      '',
      'model_not_found',
      0,
      'refused',
    ]);
  });

  it('hold what they asked for as an annotation if it is no model, cut and without secrets', () => {
    const requested = `gpt-9 sk-proj-Nq7rT2mXw5kV9bLc ${'x'.repeat(1_000)}`;
    const tags = refusedRow({ ...known, requested }, NOW)[at.tags];
    const annotations = JSON.parse(tags ?? '{}') as Readonly<Record<string, string>>;
    expect(Object.keys(annotations)).to.deep.equal(['ledger.requested_model']);
    expect(annotations['ledger.requested_model'])
      .to.match(/^gpt-9 \[redacted\] x+$/)
      .and.have.lengthOf(128);
  });
});
