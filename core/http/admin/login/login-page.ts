import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Headers } from '../../../canonical/wire.ts';

const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1b2430;--soft:#566171;--line:#c9d0d9;
--accent:#1f5fbf;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#11161d;--card:#1a212b;--ink:#e7ebf0;--soft:#a3aebb;--line:#3c4856;
--accent:#3f7fdf;--bad:#ff9b93}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 .25rem;font-size:1.4rem}
p{margin:0 0 1.25rem;color:var(--soft)}
p[role=alert]{margin:0 0 1rem;color:var(--bad);font-weight:600}
label{display:block;margin-bottom:.35rem;font-weight:600}
input,button{width:100%;padding:.65rem .8rem;border-radius:8px;font:inherit}
input{border:1px solid var(--soft);background:var(--ground);color:var(--ink)}
button,.button{display:block;margin-top:1rem;border:0;background:#1f5fbf;color:#fff;font-weight:600;cursor:pointer}
.button{padding:.65rem .8rem;border-radius:8px;text-align:center;text-decoration:none}
.or{margin:1.5rem 0;text-align:center}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

/**
 * A browser does not send the fragment of an address, in which the dashboard has its page and filters: this adds it to
 * the page after the sign-in. A link of another site comes without the session cookie, which is `SameSite=Strict`: with
 * `data-again` the page is loaded once more by itself, with the cookie.
 */
const script = `
const fragment = encodeURIComponent(location.hash);
if (document.currentScript.dataset.again !== undefined)
  location.replace(location.pathname + (location.search || '?next=%2F') + fragment);
for (const input of document.getElementsByName('next'))
  if (!input.value.includes('#')) input.value += location.hash;
for (const link of document.querySelectorAll('a[href*="next="]'))
  if (!link.search.includes('%23')) link.search += fragment;
`;

/** The pages run no other script, and no other site can embed them. */
const headers: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
    `script-src 'sha256-${hash('sha256', script, 'base64')}'; img-src data:; form-action 'self'; ` +
    "frame-ancestors 'none'; base-uri 'none'",
  // With no-referrer a browser would send `Origin: null` with the form.
  'referrer-policy': 'same-origin',
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (found) => escapes[found] ?? '');

const writePage = (title: string, content: string, head = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Koine</title>
<link rel="icon" href="data:,">
${head}<style>${style}</style>
<main>
<h1>Koine</h1>
${content}
</main>
</html>
`;

/** Redirects a browser. */
export function goTo(context: Context, address: string): void {
  context.status = 303;
  context.set('location', address);
  context.body = '';
}

/** Sends one of these pages. */
export function showPage(context: Context, status: number, page: string): void {
  context.status = status;
  context.set({ ...headers });
  context.body = page;
}

const writeAlert = (problem: string): string => `<p role="alert" id="problem">${escape(problem)}</p>`;

const writeTokenForm = (
  next: string,
  problem: string | undefined,
  isOnlyWay: boolean,
): string => `<form method="post" action="/admin/login">
<input type="hidden" name="next" value="${escape(next)}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required${isOnlyWay ? ' autofocus' : ''}
${problem === undefined ? '' : 'aria-invalid="true" aria-describedby="problem"'}>
<button>Sign in</button>
</form>`;

/** The ways to sign in. */
export interface LoginWays {
  readonly hasToken: boolean;
  /** The identity provider, and where the sign-in with it begins. */
  readonly provider?: { readonly host: string; readonly begin: string } | undefined;
}

interface LoginPage {
  /** The page after the sign-in. */
  readonly next: string;
  /** Why the previous attempt was refused. */
  readonly problem?: string | undefined;
  /** The link to this page is on another site. */
  readonly isFromOtherSite?: boolean;
}

export function writeLoginPage(
  { hasToken, provider }: LoginWays,
  { next, problem, isFromOtherSite = false }: LoginPage,
): string {
  const address = provider && `${provider.begin}?next=${encodeURIComponent(next)}`;
  return writePage(
    'Sign in',
    [
      '<p>Sign in to this gateway.</p>',
      problem === undefined ? '' : writeAlert(problem),
      address === undefined
        ? ''
        : `<a class="button" href="${escape(address)}">Sign in with ${escape(provider?.host ?? '')}</a>`,
      address !== undefined && hasToken ? '<p class="or">or</p>' : '',
      hasToken ? writeTokenForm(next, problem, address === undefined) : '',
      `<script${isFromOtherSite ? ' data-again' : ''}>${script}</script>`,
    ].join('\n'),
  );
}

/** A sign-in that has failed. */
export const writeProblemPage = (problem: string): string =>
  writePage('Not signed in', `${writeAlert(problem)}\n<a class="button" href="/admin/login">Back to the sign-in</a>`);

/**
 * Leads to a page after the sign-in or the sign-out. A redirect after the sign-in would belong to the navigation that
 * began at the provider, so the browser would not send the session cookie, which is `SameSite=Strict`. A redirect after
 * the sign-out would lead a form to another site, which the policy of the dashboard does not permit.
 */
export const writeContinuePage = (title: 'Signed in' | 'Signed out', next: string): string =>
  writePage(
    title,
    `<p>You are ${title.toLowerCase()}.</p>\n<a class="button" href="${escape(next)}">Continue</a>`,
    `<meta http-equiv="refresh" content="0; url=${escape(next)}">\n`,
  );
