import { useEffect, useState } from 'preact/hooks';

/** What is drawn beyond the named ones. */
export const MOST_SERIES = 6;

/** @param {string} name of a CSS variable, without its dashes */
export const readColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Of the n-th series; the same in charts and keys. @param {number} index */
export const nameSeriesColor = (index) => `series-${index % (MOST_SERIES + 1)}`;

/** Changes when the page becomes dark or light, since canvases have to be drawn anew. */
export const useTheme = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const [theme, setTheme] = useState(dark.matches ? 'dark' : 'light');
  useEffect(() => {
    const follow = () => setTheme(dark.matches ? 'dark' : 'light');
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  return theme;
};
