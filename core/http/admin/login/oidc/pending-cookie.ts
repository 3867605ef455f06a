import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { isObject } from '../../../../canonical/json/members.ts';
import type { Clock } from '../../../../contracts/services.ts';
import { parseJson } from '../../../../framing/json.ts';
import { setBounded } from '../../../../services/bounded-map.ts';
import { readCookie, writeCookie } from '../cookie.ts';
import type { PendingSignIn } from './identity-provider.ts';

/** A sign-in that the browser has begun. */
export interface BegunSignIn extends PendingSignIn {
  /** The page to which it returns. */
  readonly next: string;
}

/** How long a person may take at the provider. */
const LIFE_SECONDS = 600;
/** Most sign-ins of the last ten minutes that are remembered as used. */
const MOST = 10_000;
const NAME = 'sign_in';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps a sign-in in the browser that has begun it. Only this process can read or make such a cookie. */
export interface PendingCookie {
  write(context: Context, begun: BegunSignIn): void;
  /** @returns the sign-in, at most once, and only if it began in the last ten minutes */
  take(context: Context): BegunSignIn | undefined;
}

const seal = (key: Uint8Array, text: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString('base64url');
};

/** @returns undefined for what was not sealed with this key */
const unseal = (key: Uint8Array, cookie: string): string | undefined => {
  const bytes = Buffer.from(cookie, 'base64url');
  if (bytes.byteLength < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
};

const isBegun = (value: unknown): value is BegunSignIn =>
  isObject(value) &&
  ['state', 'nonce', 'verifier', 'redirectUri', 'next'].every((name) => typeof value[name] === 'string');

/**
 * An encrypted cookie instead of memory: a flood of sign-ins that are never completed costs nothing and ends none of
 * the others. `SameSite=Lax`, because the browser comes back from another site.
 */
export function createPendingCookie({ monotonic }: Pick<Clock, 'monotonic'>): PendingCookie {
  const key = randomBytes(32);
  const used = new Map<string, true>();
  const set = (context: Context, value: string, life: number): void => writeCookie(context, NAME, value, life);
  return {
    write: (context, begun) => {
      const until = monotonic() + LIFE_SECONDS * 1_000;
      set(context, seal(key, JSON.stringify({ begun, until })), LIFE_SECONDS);
    },
    take: (context) => {
      const cookie = readCookie(context, NAME);
      if (cookie === undefined) return undefined;
      set(context, '', 0);
      const text = unseal(key, cookie);
      const content = text === undefined ? undefined : parseJson(text);
      if (!isObject(content) || !(Number(content['until']) > monotonic())) return undefined;
      const { begun } = content;
      if (!isBegun(begun) || used.has(begun.state)) return undefined;
      setBounded(used, MOST, begun.state, true);
      return begun;
    },
  };
}
