import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { useState } from 'react';
import type { VersionRow } from '@repoless/core/history/versions-with-before.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly row: VersionRow;
  /** Newest first. */
  readonly rows: readonly VersionRow[];
  readonly current: number | undefined;
  readonly chosen: number | undefined;
  readonly onChoose: (version: number) => void;
}

/** So many versions are offered at once; writing a number narrows them. */
const OFFERED = 40;

/** Which other version this one is compared with. */
export function CompareWith({ row, rows, current, chosen, onChoose }: Props) {
  const history = useMessages('history');
  const label = (version: number, name: string | undefined): string => {
    const role = version === current ? history.compareCurrent : version === row.before ? history.compareBefore : name;
    return role === undefined ? history.version({ version }) : `${history.version({ version })} – ${role}`;
  };
  const nameOf = (version: number | undefined): string =>
    version === undefined ? '' : label(version, rows.find((other) => other.version === version)?.name);
  const [text, setText] = useState(nameOf(chosen));
  const [isWritten, setIsWritten] = useState(false);
  const others = rows.filter(({ version }) => version !== row.version);
  const wanted = text.trim().toLocaleLowerCase();
  const items = others
    .map(({ version, name }) => ({ version, name: label(version, name) }))
    .filter(({ version, name }) => !isWritten || String(version) === wanted || name.toLocaleLowerCase().includes(wanted))
    .slice(0, OFFERED);
  return (
    <ComboBox
      label={history.compare}
      items={items}
      inputValue={text}
      onInputChange={(next) => {
        setText(next);
        setIsWritten(next !== nameOf(chosen));
      }}
      selectedKey={chosen === undefined ? null : String(chosen)}
      onSelectionChange={(key) => {
        const next = key === null ? chosen : Number(key);
        setText(nameOf(next));
        setIsWritten(false);
        if (next !== undefined) onChoose(next);
      }}
      menuTrigger="focus"
      width="100%"
    >
      {(item) => <Item key={String(item.version)}>{item.name}</Item>}
    </ComboBox>
  );
}
