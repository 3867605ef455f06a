import { expect } from 'chai';
import { GatewayError, type Headers } from '../../../../core/api/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { clientSide, inbound, minimal } from './exchange.ts';

const decodeWith = (headers: Headers, versions?: readonly string[]) =>
  clientSide.decodeRequest(omitUndefined({ ...inbound(minimal, headers), versions }));

describe('messages client: the version header', () => {
  it('accepts each of the three versions under both names of the header', () => {
    for (const name of ['anthropic-version', 'compat-version']) {
      for (const version of ['2023-01-01', '2023-06-01', '2026-10-21'])
        expect(() => decodeWith({ [name]: version }), `${name} ${version}`).not.to.throw();
    }
  });

  it('the error names the version header when it is missing', () => {
    expect(() => decodeWith({}))
      .to.throw(GatewayError, /'anthropic-version' \(or 'compat-version'\) is required; send one of '2023-01-01'/)
      .with.property('status', 400);
  });

  it('rejects any other value, under the name with which it was sent', () => {
    expect(() => decodeWith({ 'compat-version': '2022-01-01' })).to.throw(
      GatewayError,
      /'compat-version' must be one of/,
    );
    expect(() => decodeWith({ 'anthropic-version': '2023-06-01', 'compat-version': 'x' })).to.throw(
      GatewayError,
      /'compat-version'/,
    );
  });

  it('accepts the versions that the operator set on the route', () => {
    expect(() => decodeWith({ 'anthropic-version': '2030-01-01' }, ['2030-01-01'])).not.to.throw();
    expect(() => decodeWith({ 'anthropic-version': '2023-06-01' }, ['2030-01-01'])).to.throw(
      GatewayError,
      /'2030-01-01'/,
    );
  });
});
