-- Sends the requests of a file in turn, like presigned.lua, and counts how they are refused.
-- wrk -s forged.lua URL -- FILE

local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

local requests = {}
local next = 0
shed = 0
refused = 0
other = 0

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

function response(status)
  if status == 503 then
    shed = shed + 1
  elseif status == 401 then
    refused = refused + 1
  else
    other = other + 1
  end
end

-- Prints one line of numbers for the calling script: answers per second, and the answers by status.
function done(summary)
  local sums = { shed = 0, refused = 0, other = 0 }
  for _, thread in ipairs(threads) do
    for name in pairs(sums) do
      sums[name] = sums[name] + thread:get(name)
    end
  end
  io.write(string.format("result %.1f %d %d %d\n",
    summary.requests / summary.duration * 1000000, sums.shed, sums.refused, sums.other))
end
