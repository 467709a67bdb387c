-- Sends the requests of a file in turn. A line has the target and the headers, separated by tabs.
-- wrk -s presigned.lua URL -- FILE

local requests = {}
local next = 0

function init(args)
  for line in io.lines(args[1]) do
    local parts = {}
    for part in line:gmatch("[^\t]+") do
      parts[#parts + 1] = part
    end
    local headers = {}
    for i = 2, #parts, 2 do
      headers[parts[i]] = parts[i + 1]
    end
    requests[#requests + 1] = wrk.format("GET", parts[1], headers)
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end

-- Prints one line of numbers for the calling script. Latencies are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("result %.1f %d %d %d\n",
    summary.requests / summary.duration * 1000000,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
