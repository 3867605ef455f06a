import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { resultOfError, terminationOf } from '../../../core/outcome/results.ts';
import { GatewayError, type EndingReason, type AnyErrorCode } from '../../../core/api/index.ts';

const ofError = (code: AnyErrorCode): string => {
  const error = new GatewayError(code);
  return terminationOf({ error, result: resultOfError(error) });
};

describe('the termination code', () => {
  const endings: Readonly<Record<EndingReason, string>> = {
    complete: '--',
    unfinished: 'UF',
    refused: '--',
    client_closed: 'CD',
    upstream_reset: 'UR',
    idle_timeout: 'UT',
    max_duration: 'MD',
    upstream_error_event: 'UE',
    truncated: 'TR',
    gateway_error: 'GE',
    drain: 'DR',
  };
  for (const [reason, code] of Object.entries(endings)) {
    it(`returns ${code} for the ending ${reason}`, () => {
      expect(
        terminationOf({ ending: { reason: reason as EndingReason, usage: undefined, outputChars: 0 }, result: 'ok' }),
      ).to.equal(code);
    });
  }

  const errors: Partial<Readonly<Record<AnyErrorCode, string>>> = {
    invalid_api_key: 'AU',
    service_unavailable: 'GE',
    invalid_request: 'CE',
    model_not_found: 'CE',
    request_too_large: 'CE',
    rate_limit_exceeded: 'RL',
    client_closed: 'CD',
    overloaded: 'OV',
    internal_error: 'GE',
    limits_unavailable: 'GE',
    shutting_down: 'DR',
    upstream_reset: 'UR',
    upstream_unreachable: 'UR',
    upstream_tls: 'UR',
    upstream_truncated: 'TR',
    upstream_timeout: 'UT',
    upstream_too_long: 'MD',
    upstream_error: 'UE',
    upstream_rate_limit: 'UE',
    no_target_available: 'UE',
  };
  for (const [code, term] of Object.entries(errors)) {
    it(`returns ${term} for ${code}`, () => {
      expect(ofError(code as AnyErrorCode)).to.equal(term);
    });
  }

  it('returns the termination of the error if the gateway failed after the response had begun', () => {
    const error = new GatewayError('internal_error');
    expect(
      terminationOf({
        error,
        ending: { reason: 'complete', usage: undefined, outputChars: 0 },
        result: resultOfError(error),
      }),
    ).to.equal('GE');
  });

  it('documents every termination code in docs/reference/access-log.md', () => {
    const page = readFileSync(new URL('../../../docs/reference/access-log.md', import.meta.url), 'utf8');
    const listed = Array.from(page.matchAll(/^\| `([A-Z]{2}|--)` \|/gm), ([, code]) => code);
    expect(listed).to.have.members([...new Set([...Object.values(endings), ...Object.values(errors)])]);
  });
});
