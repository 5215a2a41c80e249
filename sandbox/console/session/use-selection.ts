import { useEffect, useState } from 'react';

/** The selected page's path, kept in the address (`#/content/…`) so that it can be bookmarked and survives a reload. */
export function useSelection(): [string | undefined, (path: string | undefined) => void] {
  const [path, setPath] = useState(pathInAddress);
  useEffect(() => {
    const follow = () => setPath(pathInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return [
    path,
    (next) => {
      location.hash = next ?? '';
      setPath(next);
    },
  ];
}

function pathInAddress(): string | undefined {
  const path = decodeURI(location.hash.slice(1));
  return path.startsWith('/content/') ? path : undefined;
}
