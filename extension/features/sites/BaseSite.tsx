import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { Batch } from '@repoless/core/sites/rows.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly candidates: readonly OrganizationSite[];
  readonly base: string | undefined;
  readonly batch: Batch | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (base: string) => void;
}

/** The base site, to be chosen, and its code, which is shown and left as it is. */
export function BaseSite({ candidates, base, batch, isDisabled, onChange }: Props) {
  const { review } = useMessages('sites');
  const code = batch?.code;
  return (
    <div className="rp-base">
      <Picker
        label={review.base}
        description={review.baseHelp}
        placeholder={review.chooseBase}
        items={candidates}
        selectedKey={base ?? null}
        isDisabled={isDisabled}
        onSelectionChange={(key) => key !== null && onChange(String(key))}
        width="100%"
      >
        {(site: OrganizationSite) => <Item key={site.name}>{site.name}</Item>}
      </Picker>
      <dl className="rp-addresses">
        <div>
          <dt>{review.code}</dt>
          <dd>
            <code className="rp-value">{code?.source?.url ?? [code?.owner, code?.repo].filter(Boolean).join('/')}</code>
          </dd>
        </div>
        {externalSource(code) !== undefined && <div className="rp-quiet">{review.codeSecret}</div>}
      </dl>
    </div>
  );
}
