import { COUNTER } from './call.ts';

/**
 * The part of wrk that sends given requests in turn. Its arguments: a file of requests (each preceded by its length in
 * bytes on a line) and the first counter. Its last line of output is the outcome as JSON.
 */
export const WRK_SCRIPT = `
local requests, place, counter = {}, 0, 0

local function split(text, mark)
  local pieces, from = {}, 1
  while true do
    local first, last = string.find(text, mark, from, true)
    if not first then break end
    pieces[#pieces + 1] = string.sub(text, from, first - 1)
    from = last + 1
  end
  pieces[#pieces + 1] = string.sub(text, from)
  return pieces
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  counter = tonumber(args[2])
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    requests[#requests + 1] = split(file:read(length), "${COUNTER}")
  end
  file:close()
end

function request()
  place = place % #requests + 1
  local pieces = requests[place]
  if #pieces == 1 then return pieces[1] end
  counter = counter + 1
  return table.concat(pieces, string.format("%0${COUNTER.length}d", counter))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"perSecond":%.3f,"p50":%.3f,"p99":%.3f,"failures":%d}\\n',
    summary.requests, summary.requests * 1e6 / summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;
