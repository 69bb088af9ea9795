// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Plans with OMPL: RRTConnect proposes, Whisker says what is safe, through its C header alone.
//
//   plan                              the built-in robot reaches from its home to above a table
//   plan ROBOT.urdf ROBOT.srdf GROUP  a robot of yours moves that group between two random
//                                     configurations, beside a post
//
// Motions are certified: what OMPL is told to be free is free at every instant.

#include <whisker/io.h>
#include <whisker/robot_scene.h>
#include <whisker/whisker.h>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace ob = ompl::base;
namespace og = ompl::geometric;

static void check(wkResult result)
{
    if (result != wk_ok) {
        throw std::runtime_error(wkGetLastError());
    }
}

// A robot among things, and which of its variables are planned for.
struct World {
    wkRobot* robot = nullptr;
    wkRobotScene* scene = nullptr;
    wkRobotState* state = nullptr; // one for each thread; here there is one
    std::vector<int32_t> variables;
    std::vector<double> rest; // what the other variables are

    ~World()
    {
        wkRobotState_Destroy(state);
        wkRobotScene_Destroy(scene);
        wkRobot_Destroy(robot);
    }

    void open(int32_t group)
    {
        wkRobotSceneDef def = wkDefaultRobotSceneDef();
        def.robot = robot;
        check(wkRobotScene_Create(&def, &scene));
        check(wkRobotState_Create(robot, &state));
        wkGroupInfo info = wkRobot_Group(robot, group);
        variables.assign(info.variables, info.variables + info.variableCount);
        rest.resize((size_t)wkRobot_Info(robot).variableCount);
        wkRobot_DefaultConfiguration(robot, rest.data());
    }

    void add(const char* name, wkShape shape, wkPose pose)
    {
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = name;
        def.shapes = &shape;
        def.shapeCount = 1;
        def.pose = pose;
        check(wkRobotScene_Add(scene, &def));
    }

    bool isFree(const std::vector<double>& q)
    {
        return wkRobotState_Set(state, wkIdentityPose(), q.data()) == wk_ok &&
               wkRobotScene_Check(scene, state, nullptr).verdict == wk_verdictFree;
    }

    // A free configuration that differs from the rest in the planned variables alone.
    std::vector<double> pickFree(uint64_t seed)
    {
        std::vector<double> any(rest.size()), q(rest);
        do {
            wkRobot_RandomConfiguration(robot, &seed, any.data());
            for (int32_t variable : variables) {
                q[(size_t)variable] = any[(size_t)variable];
            }
        } while (!isFree(q));
        return q;
    }
};

// OMPL's states and ours: turns without limits are circles, everything else is a line.
struct Space {
    const World& world;
    std::shared_ptr<ob::CompoundStateSpace> space = std::make_shared<ob::CompoundStateSpace>();

    explicit Space(const World& w) : world(w)
    {
        for (int32_t variable : world.variables) {
            wkVariableInfo info = wkRobot_Variable(world.robot, variable);
            if (info.kind == wk_variableContinuous) {
                space->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1.0);
            } else {
                auto line = std::make_shared<ob::RealVectorStateSpace>(1);
                line->setBounds(info.lower, info.upper);
                space->addSubspace(line, 1.0);
            }
        }
    }

    double& value(ob::State* state, size_t i) const
    {
        ob::State* part = state->as<ob::CompoundState>()->components[i];
        bool isRevolute = space->getSubspace((unsigned)i)->getType() == ob::STATE_SPACE_SO2;
        return isRevolute ? part->as<ob::SO2StateSpace::StateType>()->value
                          : part->as<ob::RealVectorStateSpace::StateType>()->values[0];
    }

    std::vector<double> configuration(const ob::State* state) const
    {
        std::vector<double> q(world.rest);
        for (size_t i = 0; i < world.variables.size(); i++) {
            q[(size_t)world.variables[i]] = value(const_cast<ob::State*>(state), i);
        }
        return q;
    }

    void set(ob::State* state, const std::vector<double>& q) const
    {
        for (size_t i = 0; i < world.variables.size(); i++) {
            value(state, i) = q[(size_t)world.variables[i]];
        }
    }
};

// Asks for proofs instead of steps.
struct CertifiedMotions : ob::MotionValidator {
    World& world;
    const Space& space;

    CertifiedMotions(ob::SpaceInformation* information, World& w, const Space& s)
        : ob::MotionValidator(information), world(w), space(s)
    {
    }

    wkMotionResult ask(const ob::State* from, const ob::State* to, bool wantsFirst) const
    {
        wkMotionRequest request = wkDefaultMotionRequest();
        request.wantsFirst = wantsFirst;
        return wkRobotScene_CheckMotion(world.scene, world.state, wkIdentityPose(),
                                        space.configuration(from).data(),
                                        space.configuration(to).data(), &request);
    }

    bool checkMotion(const ob::State* from, const ob::State* to) const override
    {
        return ask(from, to, false).verdict == wk_verdictFree;
    }

    bool checkMotion(const ob::State* from, const ob::State* to,
                     std::pair<ob::State*, double>& last) const override
    {
        wkMotionResult result = ask(from, to, true);
        last.second = result.freeUntil;
        if (last.first != nullptr) {
            si_->getStateSpace()->interpolate(from, to, result.freeUntil, last.first);
        }
        return result.verdict == wk_verdictFree;
    }
};

static bool plan(World& world, const std::vector<double>& from, const std::vector<double>& to)
{
    Space space(world);
    auto information = std::make_shared<ob::SpaceInformation>(space.space);
    information->setStateValidityChecker(
        [&](const ob::State* state) { return world.isFree(space.configuration(state)); });
    information->setMotionValidator(
        std::make_shared<CertifiedMotions>(information.get(), world, space));
    information->setup();

    ob::ScopedState<> start(space.space), goal(space.space);
    space.set(start.get(), from);
    space.set(goal.get(), to);
    auto problem = std::make_shared<ob::ProblemDefinition>(information);
    problem->setStartAndGoalStates(start, goal);

    og::RRTConnect planner(information);
    planner.setProblemDefinition(problem);
    planner.setup();
    const ob::PlannerTerminationCondition patience = ob::timedPlannerTerminationCondition(30.0);
    if (planner.solve(patience) != ob::PlannerStatus::EXACT_SOLUTION) {
        std::printf("no path was found\n");
        return false;
    }
    auto path = std::static_pointer_cast<og::PathGeometric>(problem->getSolutionPath());
    og::PathSimplifier(information).reduceVertices(*path);

    // the planner need not be trusted: every piece of the path is proven once more
    bool isProven = true;
    for (size_t i = 0; i + 1 < path->getStateCount(); i++) {
        isProven = isProven && information->getMotionValidator()->checkMotion(
                                   path->getState((unsigned)i), path->getState((unsigned)i + 1));
    }
    std::printf("a path of %zu configurations, %s\n", path->getStateCount(),
                isProven ? "proven free at every instant" : "NOT free");
    return isProven;
}

static bool planBuiltIn()
{
    World world;
    check(wkRobot_CreateBuiltIn(&world.robot));
    world.open(wkRobot_FindGroup(world.robot, "arm"));
    world.add("table", wkMakeBox(0.7, 1.4, 0.04), wkMakePose(0.95, 0.0, 0.62));
    world.add("post", wkMakeCylinder(0.04, 0.7), wkMakePose(0.75, 0.0, 0.99));
    std::printf("built-in robot: ");
    return plan(world, world.pickFree(1), world.pickFree(2));
}

static bool planFile(const char* urdf, const char* srdf, const char* group)
{
    World world;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    check(wkRobot_Load(urdf, &options, NULL, &world.robot));
    int32_t index = wkRobot_FindGroup(world.robot, group);
    if (index < 0) {
        throw std::runtime_error(std::string(srdf) + ": there is no group " + group);
    }
    world.open(index);
    world.add("post", wkMakeCylinder(0.05, 1.5), wkMakePose(0.55, 0.15, 0.75));
    std::printf("%s: ", wkRobot_Info(world.robot).name);
    return plan(world, world.pickFree(1), world.pickFree(2));
}

int main(int argc, char** argv)
{
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    ompl::RNG::setSeed(1);
    try {
        bool isPlanned = argc == 4 ? planFile(argv[1], argv[2], argv[3]) : planBuiltIn();
        return isPlanned ? 0 : 1;
    } catch (const std::exception& trouble) {
        std::fprintf(stderr, "plan: %s\n", trouble.what());
        return 2;
    }
}
