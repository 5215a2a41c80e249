import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { memo } from 'react';
import { SITE_STATES } from '@repoless/contract/site-check.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { TreeFilter } from './tree-rows.ts';

const STATES = ['any', ...SITE_STATES, 'covered'] as const;
const LEVELS = ['any', 'root', 'country', 'locale', 'page'] as const;

function Filters({ filter, onChange }: { readonly filter: TreeFilter; readonly onChange: (filter: TreeFilter) => void }) {
  const { tree, siteStates } = useMessages('sites');
  return (
    <div className="rp-filters">
      <SearchField label={tree.search} value={filter.text} onChange={(text) => onChange({ ...filter, text })} width="100%" />
      <Picker
        label={tree.stateFilter}
        selectedKey={filter.state}
        onSelectionChange={(key) => onChange({ ...filter, state: STATES.find((state) => state === key) ?? 'any' })}
        width="100%"
      >
        {STATES.map((state) => (
          <Item key={state}>{state === 'any' ? tree.anyState : state === 'covered' ? tree.covered : siteStates[state]}</Item>
        ))}
      </Picker>
      <Picker
        label={tree.levelFilter}
        selectedKey={filter.level}
        onSelectionChange={(key) => onChange({ ...filter, level: LEVELS.find((level) => level === key) ?? 'any' })}
        width="100%"
      >
        {LEVELS.map((level) => (
          <Item key={level}>{level === 'any' ? tree.anyLevel : tree.levels[level]}</Item>
        ))}
      </Picker>
    </div>
  );
}

/** What is shown of the tree. Moving in the tree does not draw it again. */
export const TreeFilters = memo(Filters);
